// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventData_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetCreateRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetFreeRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemEventSetWaitRequest_v1_t;
import static io.gpuagent.nvml.internal.EventLayouts.nvmlSystemRegisterEventRequest_v1_t;

import io.gpuagent.nvml.internal.Allocation;
import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Events that concern the driver rather than a GPU that works: it was bound to one, or unbound. */
public final class SystemEvents implements AutoCloseable {
    private static final int ROOM = 16;

    private final Allocation set;

    private SystemEvents(Allocation set) {
        this.set = set;
    }

    /** A new set (nvmlSystemEventSetCreate). */
    static Answer<SystemEvents> create(Calls calls) {
        return Structs.versioned(
                calls,
                NvmlFunction.nvmlSystemEventSetCreate,
                nvmlSystemEventSetCreateRequest_v1_t,
                1,
                out -> new SystemEvents(allocation(calls, out.pointer("set"))));
    }

    private static Allocation allocation(Calls calls, MemorySegment set) {
        // The request that frees it, kept with it: it may be freed by any thread.
        Struct request = new Struct(
                nvmlSystemEventSetFreeRequest_v1_t, Arena.ofAuto().allocate(nvmlSystemEventSetFreeRequest_v1_t));
        request.set("version", Layouts.version(request.layout(), 1));
        request.set("set", set);
        return Allocation.of(
                new Handle(calls, set, -1),
                NvmlFunction.nvmlSystemEventSetFree,
                new Handle(calls, request.memory(), -1));
    }

    /**
     * Starts to record events (nvmlSystemRegisterEvents). What happened before is not recorded.
     *
     * @param kinds which
     * @return what NVML answered; after NOT_SUPPORTED none is recorded, after UNKNOWN the set is to be closed
     */
    public NvmlReturn register(Set<Kind> kinds) {
        long mask = kinds.stream().mapToLong(kind -> kind.bit).reduce(0, (a, b) -> a | b);
        Struct request = Structs.versioned(Scratch.fresh(), nvmlSystemRegisterEventRequest_v1_t, 1);
        request.set("eventTypes", mask);
        return new NvmlReturn(use(NvmlFunction.nvmlSystemRegisterEvents, request));
    }

    /** A call whose request names the set. */
    private int use(NvmlFunction function, Struct request) {
        return set.use(handle -> {
            request.set("set", handle.address());
            return set.calls().call(function, request.memory());
        });
    }

    /**
     * Waits for events (nvmlSystemEventSetWait). NVML may come back before the time is up.
     *
     * @param atMost how long; zero to fetch what is there. NVML counts milliseconds
     * @return the events, empty where none came; as many as {@value #ROOM} may have left others behind
     */
    public Answer<List<SystemEvent>> await(Duration atMost) {
        NvmlFunction function = NvmlFunction.nvmlSystemEventSetWait;
        Scratch scratch = Scratch.fresh();
        MemorySegment data = scratch.take(ROOM * nvmlSystemEventData_v1_t.byteSize());
        Struct request = Structs.versioned(scratch, nvmlSystemEventSetWaitRequest_v1_t, 1);
        request.set("timeoutms", EventSet.millis(atMost));
        request.set("data", data);
        request.set("dataSize", ROOM);
        int code = use(function, request);
        if (code == NvmlReturn.TIMEOUT.code()) {
            return new Answer.Value<>(List.of());
        }
        long stride = nvmlSystemEventData_v1_t.byteSize();
        return Queries.answer(
                function,
                code,
                data,
                o -> new Answer.Value<>(LongStream.range(0, Math.min(request.u32("numEvent"), ROOM))
                        .mapToObj(i -> event(new Struct(nvmlSystemEventData_v1_t, o.asSlice(i * stride, stride))))
                        .toList()));
    }

    private static SystemEvent event(Struct data) {
        long bits = data.u64("eventType");
        return new SystemEvent(
                bits, Stream.of(Kind.values()).filter(kind -> kind.bit == bits).findFirst(), data.s32("gpuId"));
    }

    /** Frees the set (nvmlSystemEventSetFree), now or when the thread that waits on it comes back. */
    @Override
    public void close() {
        set.close();
    }

    /** nvmlSystemEventType*. */
    public enum Kind {
        /** The driver was unbound from a GPU. */
        GPU_DRIVER_UNBIND(1),
        /** The driver was bound to a GPU. */
        GPU_DRIVER_BIND(2);

        private final long bit;

        Kind(long bit) {
            this.bit = bit;
        }
    }

    /**
     * Something that happened to the driver ({@code nvmlSystemEventData_v1_t}).
     *
     * @param bits NVML's bit of what happened
     * @param kind what happened; empty for a bit that nvml.h 13.0 does not know
     * @param gpuId the GPU, by its PCI address in the form in which NVML gives it
     */
    public record SystemEvent(long bits, Optional<Kind> kind, int gpuId) {}
}
