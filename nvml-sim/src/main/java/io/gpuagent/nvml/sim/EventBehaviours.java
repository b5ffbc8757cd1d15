// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Event sets, and waiting for what happens. */
final class EventBehaviours {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** How often a waiting process looks what others have done to a machine that they share. */
    private static final long LOOK_NANOS = 20 * NANOS_PER_MILLI;

    private EventBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlEventSetCreate", EventBehaviours::create);
        behaviours.put("nvmlEventSetFree", EventBehaviours::free);
        behaviours.put("nvmlDeviceRegisterEvents", EventBehaviours::register);
        behaviours.put("nvmlEventSetWait", call -> await(call, false));
        behaviours.put("nvmlEventSetWait_v2", call -> await(call, true));
    }

    private static void create(Call call) {
        call.requirePointer(0);
        SimulatedDriver driver = call.driver();
        call.putLong(0, call.machine().handles().add(driver.events().create(call.library())));
    }

    private static void free(Call call) {
        SimulatedDriver driver = call.driver();
        EventSet set = call.machine().handles().get(call.handle(0), EventSet.class);
        call.machine().handles().remove(call.handle(0));
        driver.events().free(set);
    }

    private static void register(Call call) {
        EventSet set = call.machine().handles().get(call.handle(2), EventSet.class);
        long types = call.handle(1);
        // One type that the GPU does not know, and none is registered.
        if ((types & ~supported(call)) != 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        set.register(call.gpu(), types);
    }

    private static long supported(Call call) {
        CannedAnswer mask = call.machine().canned("nvmlDeviceGetSupportedEventTypes");
        return mask.content() instanceof CannedAnswer.Values values
                        && values.values().getFirst() instanceof Long types
                ? types
                : 0;
    }

    private static void await(Call call, boolean hasInstances) {
        EventSet set = call.machine().handles().get(call.handle(0), EventSet.class);
        call.requirePointer(1);
        give(call, next(call, set, call.integer(2)), hasInstances);
    }

    /**
     * Waits on the clock that the GPUs live by; sleeps until an event, the next step of the scenario or the end.
     *
     * @throws Refusal with TIMEOUT when nothing has come
     */
    static <E> E next(Call call, EventQueue<E> set, int timeoutMillis) {
        SimulatedDriver driver = call.driver();
        SimulatedClock clock = call.machine().clock();
        long end = clock.elapsedNanos() + Integer.toUnsignedLong(timeoutMillis) * NANOS_PER_MILLI;
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                int seen = set.stirs();
                driver.takeSteps();
                call.machine().gate().refresh();
                @Nullable E event = set.poll();
                if (event != null) {
                    return event;
                }
                long now = clock.elapsedNanos();
                if (now >= end) {
                    throw new Refusal(Code.TIMEOUT);
                }
                long until = Math.min(end, driver.nextStepNanos()) - now;
                // Nobody in another process can wake us.
                isInterrupted |=
                        set.sleep(seen, call.machine().gate().isShared() ? Math.min(until, LOOK_NANOS) : until);
            }
        } finally {
            if (isInterrupted) {
                // A C function knows nothing of it; whoever called it finds it where it was.
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void give(Call call, Event event, boolean hasInstances) {
        StructView data = call.struct(1)
                .set("device", call.machine().handle(event.gpu()))
                .set("eventType", event.type())
                .set("eventData", event.data());
        // The first version of the struct ends here.
        if (hasInstances) {
            data.set("gpuInstanceId", event.gpuInstance()).set("computeInstanceId", event.computeInstance());
        }
    }
}
