// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.mig.apply.History;
import io.gpuagent.mig.read.MigFacts;
import java.util.List;
import java.util.Optional;

/** What came of a request that was carried out. */
public sealed interface Outcome {
    /**
     * A change was made and read back.
     *
     * @param before the state that was found, in a few words; empty where there was none
     * @param after the state as it was read back
     * @param lines what else is worth telling, one sentence each
     */
    record Changed(String before, String after, List<String> lines) implements Outcome {
        /** Takes a copy. */
        public Changed {
            lines = List.copyOf(lines);
        }
    }

    /**
     * What processes ask of the GPUs.
     *
     * @param processes those that still run and could be read, in the order asked for
     */
    record Environments(List<GpuEnvironment> processes) implements Outcome {
        /** Takes a copy. */
        public Environments {
            processes = List.copyOf(processes);
        }
    }

    /**
     * Who holds device nodes open.
     *
     * @param holders by pid
     */
    record Holders(List<DeviceHolder> holders) implements Outcome {
        /** Takes a copy. */
        public Holders {
            holders = List.copyOf(holders);
        }
    }

    /**
     * The MIG layout of a GPU.
     *
     * @param facts how it is, with who uses each instance
     * @param unfinished what a change that was cut off has left open, in one sentence; empty where there is none.
     *     Every change begins with bringing it to its end
     * @param ownership why it is not known which instances are ours, in one sentence; empty where it is
     * @param history the last changes that were carried out, oldest first
     */
    record MigState(
            MigFacts facts, Optional<String> unfinished, Optional<String> ownership, List<History.Entry> history)
            implements Outcome {
        /** Takes a copy. */
        public MigState {
            history = List.copyOf(history);
        }
    }
}
