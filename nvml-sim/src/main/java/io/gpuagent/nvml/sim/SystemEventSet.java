// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** A set of events between the driver and its GPUs; it outlives the driver. */
final class SystemEventSet extends EventQueue<SystemEvent> {
    private long asked;

    SystemEventSet(Library owner) {
        super(owner);
    }

    void register(long types) {
        locked(() -> asked |= types);
    }

    @Override
    boolean isAsked(SystemEvent event) {
        return (asked & event.type()) != 0;
    }

    @Override
    int idleCode() {
        return Code.SUCCESS;
    }
}
