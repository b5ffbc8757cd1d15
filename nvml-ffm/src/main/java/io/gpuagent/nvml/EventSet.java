// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.EventLayouts.nvmlEventData_t;
import static java.lang.foreign.ValueLayout.ADDRESS;

import io.gpuagent.nvml.internal.Allocation;
import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Events of the GPUs that are registered with it. Nothing is recorded before a GPU is registered. A set ends with its
 * session at the latest, and is stale after the driver was reloaded or a GPU was reset.
 */
public final class EventSet implements AutoCloseable {
    /** The eventData of an Xid error that the driver does not know. */
    private static final long UNKNOWN_XID = 999;

    private final Allocation set;
    /** Handle of a registered GPU to its index: a lost GPU cannot be asked for it any more. */
    private final Map<Long, Integer> gpus = new ConcurrentHashMap<>();

    private EventSet(Allocation set) {
        this.set = set;
    }

    /** A new set (nvmlEventSetCreate). */
    static Answer<EventSet> create(Calls calls) {
        NvmlFunction function = NvmlFunction.nvmlEventSetCreate;
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        return Queries.answer(function, calls.call(function, out), out, o -> {
            Handle handle = new Handle(calls, o.get(ADDRESS, 0), -1);
            return new Answer.Value<>(new EventSet(Allocation.of(handle, NvmlFunction.nvmlEventSetFree, handle)));
        });
    }

    /**
     * Starts to record events of a GPU (nvmlDeviceRegisterEvents): of those that are wanted, the ones that the GPU can
     * report. For NVML registers none of them where it cannot report one.
     *
     * @param gpu the GPU, of the same session; events of its MIG instances come with it
     * @param wanted bits, see {@link EventType#mask}
     * @return the bits registered, 0 where the GPU reports none of them; after UNKNOWN the set is to be closed
     */
    public Answer<Long> register(Gpu gpu, long wanted) {
        Answer<Long> supported = gpu.supportedEvents();
        if (!(supported instanceof Answer.Value<Long>(Long bits))) {
            return supported;
        }
        long types = wanted & bits;
        if (types == 0) {
            return new Answer.Value<>(types);
        }
        NvmlFunction function = NvmlFunction.nvmlDeviceRegisterEvents;
        Handle device = gpu.handle(set.calls());
        // Known before the first event can arrive.
        gpus.put(device.address().address(), device.gpu());
        int code = set.use(handle -> set.calls().call(function, device, types, handle));
        return code == NvmlReturn.SUCCESS.code() ? new Answer.Value<>(types) : Queries.refused(function, code);
    }

    /**
     * Waits for an event (nvmlEventSetWait_v2, in older drivers nvmlEventSetWait, which names no instance). One thread
     * waits at a time, and not one that must answer. NVML may come back before the time is up, so a caller who is told
     * of an error must pause by itself before asking again.
     *
     * @param atMost how long; zero to fetch what is there. NVML counts milliseconds
     * @return the event, or empty where none came; GPU_IS_LOST does not say which GPU is
     */
    public Answer<Optional<Event>> await(Duration atMost) {
        NvmlFunction function = NvmlFunction.nvmlEventSetWait_v2;
        Struct out = new Struct(nvmlEventData_t, Scratch.fresh().take(nvmlEventData_t));
        // What the older function leaves as it is must read as no instance.
        out.set("gpuInstanceId", Queries.NOT_AVAILABLE_32);
        out.set("computeInstanceId", Queries.NOT_AVAILABLE_32);
        int millis = millis(atMost);
        int code = set.use(handle -> set.calls().call(function, handle, out.memory(), millis));
        return code == NvmlReturn.TIMEOUT.code()
                ? new Answer.Value<>(Optional.empty())
                : Queries.answer(function, code, out.memory(), o -> new Answer.Value<>(Optional.of(event(out))));
    }

    /** Milliseconds, rounded up; at most what fits an int, 24 days. */
    static int millis(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        Duration longest = Duration.ofMillis(Integer.MAX_VALUE);
        return duration.compareTo(longest) >= 0
                ? Integer.MAX_VALUE
                : (int) duration.plusNanos(999_999).toMillis();
    }

    private Event event(Struct out) {
        Integer gpu = gpus.get(out.pointer("device").address());
        long bits = out.u64("eventType");
        long data = out.u64("eventData");
        boolean isXid = bits == EventType.XID_CRITICAL_ERROR.bit();
        return new Event(
                gpu == null ? OptionalInt.empty() : OptionalInt.of(gpu),
                bits,
                EventType.of(bits),
                isXid && data != UNKNOWN_XID ? OptionalLong.of(data) : OptionalLong.empty(),
                isXid ? out.optional32("gpuInstanceId") : OptionalInt.empty(),
                isXid ? out.optional32("computeInstanceId") : OptionalInt.empty());
    }

    /**
     * Frees the set (nvmlEventSetFree): now, or when the thread that waits on it comes back. Afterwards it answers
     * UNINITIALIZED.
     */
    @Override
    public void close() {
        set.close();
    }
}
