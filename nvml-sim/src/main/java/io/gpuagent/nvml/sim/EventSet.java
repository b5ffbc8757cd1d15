// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashMap;
import java.util.Map;

/** A set of events of GPUs. */
final class EventSet extends EventQueue<Event> {
    /** Types by GPU. */
    private final Map<SimulatedGpu, Long> asked = new HashMap<>();

    EventSet(Library owner) {
        super(owner);
    }

    void register(SimulatedGpu gpu, long types) {
        locked(() -> asked.merge(gpu, types, (before, more) -> before | more));
    }

    @Override
    boolean isAsked(Event event) {
        return (asked.getOrDefault(event.gpu(), 0L) & event.type()) != 0;
    }

    @Override
    int idleCode() {
        return asked.keySet().stream().anyMatch(SimulatedGpu::isLost) ? Code.GPU_IS_LOST : Code.SUCCESS;
    }
}
