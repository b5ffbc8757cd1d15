// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The processes that were started on a GPU by somebody, beside those of its load, and what the driver has on record of
 * them. Guarded by the lock of the GPU.
 */
final class RunningProcesses {
    /** By process id. */
    private final Map<Integer, SimulatedProcess> started = new LinkedHashMap<>();

    private final ProcessAccounting accounting;

    RunningProcesses(int accountingRoom) {
        accounting = new ProcessAccounting(accountingRoom);
    }

    ProcessAccounting accounting() {
        return accounting;
    }

    List<SimulatedProcess> all() {
        return List.copyOf(started.values());
    }

    /** Starts a process, or gives one that runs other memory or another place. */
    void put(SimulatedProcess process, long micros, Meter meter) {
        @Nullable SimulatedProcess before = started.put(process.pid(), process);
        if (before == null) {
            accounting.started(process, micros, meter);
        } else {
            accounting.grown(process.pid(), process.memory());
        }
    }

    boolean stop(int pid, long micros, Meter meter) {
        accounting.ended(pid, micros, meter);
        return started.remove(pid) != null;
    }

    /** All have gone with the driver, and so has the record. */
    void forget() {
        started.clear();
        accounting.turn(false);
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("started", all().stream().map(SimulatedProcess::saved).toList());
        members.put("accounting", accounting.saved());
        return members;
    }

    void restore(JsonTree saved) {
        started.clear();
        saved.objects("started").stream()
                .map(SimulatedProcess::restored)
                .forEach(process -> started.put(process.pid(), process));
        accounting.restore(saved.object("accounting"));
    }
}
