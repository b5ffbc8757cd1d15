// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.util.Map;
import java.util.TreeMap;

/**
 * What is kept of a daemon over restarts of this process and of the machine.
 *
 * @param spec the daemon
 * @param run what is wanted of it
 * @param priorModes compute modes that its GPUs had before, by UUID; to be put back when it has gone
 * @param history which shares it gave
 */
record DaemonRecord(DaemonSpec spec, Run run, Map<String, ComputeModes.Mode> priorModes, ShareHistory history) {
    /** What is wanted. */
    enum Run {
        RUNNING,
        STOPPED,
        /** It should run and died too often; nobody starts it before somebody asks. */
        GIVEN_UP
    }

    DaemonRecord {
        priorModes = Map.copyOf(new TreeMap<>(priorModes));
    }

    DaemonRecord withRun(Run other) {
        return new DaemonRecord(spec, other, priorModes, history);
    }

    DaemonRecord withSpec(DaemonSpec other) {
        return new DaemonRecord(other, run, priorModes, history);
    }

    DaemonRecord withModes(Map<String, ComputeModes.Mode> modes) {
        return new DaemonRecord(spec, run, modes, history);
    }

    DaemonRecord withHistory(ShareHistory other) {
        return new DaemonRecord(spec, run, priorModes, other);
    }
}
