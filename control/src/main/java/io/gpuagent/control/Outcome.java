// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.mig.apply.MigState;
import java.util.List;

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
     * The MIG layout of a GPU, with what is written down about it.
     *
     * @param state all that is known; an unfinished change is brought to its end by the next one
     */
    record Mig(MigState state) implements Outcome {}
}
