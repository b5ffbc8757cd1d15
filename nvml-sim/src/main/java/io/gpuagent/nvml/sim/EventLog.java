// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The last things that have happened on a machine, numbered, so that every process that shares it tells them once. */
final class EventLog {
    /** Who looks less often than that misses some, as with a driver that does not keep events without end either. */
    private static final int MOST = 200;

    private final Deque<Map<String, Object>> recent = new ArrayDeque<>();
    private long last;

    synchronized void add(Event event) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("gpu", event.gpu().index());
        entry.put("type", event.type());
        entry.put("data", event.data());
        entry.put("gpu-instance", event.gpuInstance());
        entry.put("compute-instance", event.computeInstance());
        add(entry);
    }

    synchronized void add(SystemEvent event) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("gpu", event.gpu().index());
        entry.put("system", event.type());
        add(entry);
    }

    private void add(Map<String, Object> entry) {
        entry.put("number", ++last);
        if (recent.size() == MOST) {
            recent.removeFirst();
        }
        recent.addLast(entry);
    }

    synchronized List<Map<String, Object>> saved() {
        return List.copyOf(recent);
    }

    /** Takes in what others have logged. */
    synchronized void restore(
            List<JsonTree> saved,
            List<SimulatedGpu> gpus,
            boolean isFirst,
            Consumer<Event> tell,
            Consumer<SystemEvent> tellSystem) {
        long before = last;
        recent.clear();
        for (JsonTree entry : saved) {
            recent.addLast(new LinkedHashMap<>(entry.members()));
            last = Math.max(last, entry.integer("number"));
            // What happened before a process opened the machine is not told to it.
            if (entry.integer("number") <= before || isFirst) {
                continue;
            }
            SimulatedGpu gpu = gpus.get(entry.smallInteger("gpu"));
            if (entry.has("system")) {
                tellSystem.accept(new SystemEvent(gpu, entry.integer("system")));
            } else {
                tell.accept(new Event(
                        gpu,
                        entry.integer("type"),
                        entry.integer("data"),
                        entry.smallInteger("gpu-instance"),
                        entry.smallInteger("compute-instance")));
            }
        }
    }
}
