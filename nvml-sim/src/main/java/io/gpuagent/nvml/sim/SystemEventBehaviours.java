// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sets of events between the driver and its GPUs, and waiting for them. */
final class SystemEventBehaviours {
    /** What works also while the driver is not there. */
    static final Set<String> ALL = Set.of(
            "nvmlSystemEventSetCreate", "nvmlSystemEventSetFree", "nvmlSystemRegisterEvents", "nvmlSystemEventSetWait");

    private SystemEventBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlSystemEventSetCreate", SystemEventBehaviours::create);
        behaviours.put("nvmlSystemEventSetFree", SystemEventBehaviours::free);
        behaviours.put("nvmlSystemRegisterEvents", SystemEventBehaviours::register);
        behaviours.put("nvmlSystemEventSetWait", SystemEventBehaviours::await);
    }

    private static void create(Call call) {
        StructView request = call.struct(0);
        request.set("set", call.machine().handles().add(call.driver().events().createSystem(call.library())));
    }

    private static SystemEventSet set(Call call, StructView request) {
        return call.machine().handles().get(request.get("set"), SystemEventSet.class);
    }

    private static void free(Call call) {
        StructView request = call.struct(0);
        SystemEventSet set = set(call, request);
        call.machine().handles().remove(request.get("set"));
        call.driver().events().free(set);
    }

    private static void register(Call call) {
        StructView request = call.struct(0);
        SystemEventSet set = set(call, request);
        long types = request.get("eventTypes");
        if ((types & ~(SystemEvent.UNBIND | SystemEvent.BIND)) != 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        set.register(types);
    }

    /** Waits for the first event, and takes those that are there with it. */
    private static void await(Call call) {
        StructView request = call.struct(0);
        SystemEventSet set = set(call, request);
        long room = request.get("dataSize");
        long data = request.get("data");
        if (room == 0 || data == 0) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        request.set("numEvent", 0);
        int count = 0;
        @Nullable SystemEvent event = EventBehaviours.next(call, set, request.getInt("timeoutms"));
        while (event != null) {
            call.structAt(data, count++, "nvmlSystemEventData_v1_t")
                    .set("eventType", event.type())
                    .set("gpuId", event.gpu().identity().gpuId());
            event = count < room ? set.poll() : null;
        }
        request.set("numEvent", count);
    }
}
