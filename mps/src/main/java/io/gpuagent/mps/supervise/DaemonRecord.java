// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is kept of a daemon over restarts of this process and of the machine.
 *
 * @param spec the daemon
 * @param run what is wanted of it
 * @param priorModes compute modes that its GPUs had before, by UUID; to be put back when it has gone
 * @param history which shares it gave
 * @param drain a wait for its clients, behind which it is stopped
 */
record DaemonRecord(
        DaemonSpec spec,
        Run run,
        Map<String, ComputeModes.Mode> priorModes,
        ShareHistory history,
        Optional<Drain> drain) {
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

    static DaemonRecord fresh(DaemonSpec spec) {
        return new DaemonRecord(spec, Run.STOPPED, Map.of(), ShareHistory.EMPTY, Optional.empty());
    }

    /** One that is past its time is given up, even if nobody has said so. */
    boolean isDraining(Instant now) {
        return drain.filter(wait -> wait.until().isAfter(now)).isPresent();
    }

    DaemonRecord withDrain(Optional<Drain> other) {
        return new DaemonRecord(spec, run, priorModes, history, other);
    }

    DaemonRecord withRun(Run other) {
        return new DaemonRecord(spec, other, priorModes, history, drain);
    }

    DaemonRecord withSpec(DaemonSpec other) {
        return new DaemonRecord(other, run, priorModes, history, drain);
    }

    DaemonRecord withModes(Map<String, ComputeModes.Mode> modes) {
        return new DaemonRecord(spec, run, modes, history, drain);
    }

    DaemonRecord withHistory(ShareHistory other) {
        return new DaemonRecord(spec, run, priorModes, other, drain);
    }
}
