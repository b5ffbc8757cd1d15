// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.GpuIdentity;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Event;
import io.gpuagent.nvml.EventSet;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The events of one session with NVML: the set of now, and who is registered with it. */
final class Watching {
    /** Not those that come with ordinary work: P-states, clocks, power sources and single corrected bits are polled. */
    private static final long WANTED = EventType.mask(EnumSet.complementOf(EnumSet.of(
            EventType.PSTATE, EventType.CLOCK, EventType.POWER_SOURCE_CHANGE, EventType.SINGLE_BIT_ECC_ERROR)));

    private final Nvml nvml;
    /** GPUs whose registration has spoilt a set: not tried again under the same handle. */
    private final Map<Integer, Registration> spoilers = new ConcurrentHashMap<>();

    private volatile @Nullable Current current;
    private volatile String failure = "NVML has just been opened";

    /** A set with those who were registered with it. */
    private record Current(EventSet set, Map<Integer, Registration> registrations) {}

    /** The handle counts: a GPU that was attached anew is registered anew. */
    private record Registration(Gpu handle, GpuIdentity gpu, Optional<String> refused) {}

    Watching(Nvml nvml) {
        this.nvml = nvml;
    }

    /**
     * Registers a GPU with the set of now, if it is not yet.
     *
     * @return why it tells no events, said once
     */
    Optional<String> register(Gpu handle, GpuIdentity gpu) {
        Current now = current;
        if (now == null || isKnown(now.registrations(), handle, gpu)) {
            return Optional.empty();
        }
        if (isKnown(spoilers, handle, gpu)) {
            now.registrations().put(gpu.index(), spoilers.get(gpu.index()));
            return Optional.empty();
        }
        Answer<Long> answer = now.set().register(handle, WANTED);
        Registration registration = new Registration(handle, gpu, refused(answer));
        now.registrations().put(gpu.index(), registration);
        if (answer instanceof Answer.Refused<Long> refused && refused.code().equals(NvmlReturn.UNKNOWN)) {
            // nvml.h: after UNKNOWN the set is in an undefined state.
            spoilers.put(gpu.index(), registration);
            giveUp("registering GPU " + gpu.index() + " has spoilt the set");
        }
        return registration.refused();
    }

    private static boolean isKnown(Map<Integer, Registration> registrations, Gpu handle, GpuIdentity gpu) {
        Registration known = registrations.get(gpu.index());
        return known != null && known.handle() == handle;
    }

    private static Optional<String> refused(Answer<Long> answer) {
        return switch (answer) {
            case Answer.Value<Long>(Long bits) ->
                bits == 0 ? Optional.of("it reports none that are wanted") : Optional.empty();
            case Answer.Refused<Long>(var function, NvmlReturn code) ->
                Optional.of(function + " gives " + code.cName());
            case Answer.Unavailable<Long>(var function) -> Optional.of("the driver lacks " + function);
        };
    }

    /**
     * Fetches all events that are there.
     *
     * @param sink gets them one by one
     * @return why there are none, where NVML refuses
     */
    Optional<String> fetch(BiConsumer<Event, Optional<GpuIdentity>> sink) {
        Current now = current;
        if (now == null) {
            switch (nvml.events()) {
                case Answer.Value<EventSet>(EventSet set) -> now = new Current(set, new ConcurrentHashMap<>());
                case Answer.Refused<EventSet>(var function, NvmlReturn code) -> {
                    return giveUp(function + " gives " + code.cName());
                }
                case Answer.Unavailable<EventSet>(var function) -> {
                    return giveUp("the driver lacks " + function);
                }
            }
            current = now;
        }
        while (true) {
            switch (now.set().await(Duration.ZERO)) {
                case Answer.Value<Optional<Event>>(Optional<Event> event) -> {
                    if (event.isEmpty()) {
                        return Optional.empty();
                    }
                    sink.accept(event.get(), gpu(now, event.get()));
                }
                case Answer.Refused<Optional<Event>>(var function, NvmlReturn code) -> {
                    return giveUp(function + " gives " + code.cName());
                }
                case Answer.Unavailable<Optional<Event>>(var function) -> {
                    return giveUp("the driver lacks " + function);
                }
            }
        }
    }

    private static Optional<GpuIdentity> gpu(Current now, Event event) {
        return event.gpu().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(now.registrations().get(event.gpu().getAsInt()))
                        .map(Registration::gpu);
    }

    /** Lets the set go; the next fetch begins with a new one, and the GPUs register with that. */
    Optional<String> giveUp(String why) {
        failure = why;
        Current now = current;
        current = null;
        if (now != null) {
            now.set().close();
        }
        return Optional.of(why);
    }

    EventStatus status() {
        Current now = current;
        if (now == null) {
            return EventStatus.failing(failure);
        }
        return new EventStatus(
                EventStatus.State.WATCHING,
                "they are fetched",
                now.registrations().entrySet().stream()
                        .filter(each -> each.getValue().refused().isEmpty())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()),
                now.registrations().entrySet().stream()
                        .filter(each -> each.getValue().refused().isPresent())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                each -> each.getValue().refused().orElseThrow())));
    }
}
