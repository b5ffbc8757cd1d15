// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.AgentFigures.CallCount;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts NVML calls by result, and knows which call each thread is in. */
public final class CallLedger implements CallObserver {
    /** What a call that asks no GPU has in place of the GPU's index. */
    public static final int DRIVER = -1;

    private final Clock clock;
    private final Map<NvmlFunction, Map<Integer, LongAdder>> counts = new ConcurrentHashMap<>();
    // By thread, not by GPU: two threads may ask about the same one, and many ask about none.
    private final Map<Thread, Slot> slots = new ConcurrentHashMap<>();

    /**
     * An empty ledger.
     *
     * @param clock tells how long a call has been running
     */
    public CallLedger(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void before(NvmlFunction function, int gpu) {
        Slot slot = slots.computeIfAbsent(Thread.currentThread(), thread -> new Slot());
        slot.sinceNanos = clock.nanos();
        slot.gpu = gpu;
        slot.function = function;
    }

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        Slot slot = slots.get(Thread.currentThread());
        if (slot != null) {
            slot.function = null;
        }
        counts.computeIfAbsent(function, f -> new ConcurrentHashMap<>())
                .computeIfAbsent(code, c -> new LongAdder())
                .increment();
    }

    /**
     * The longest call under way to a GPU, or one that asks none.
     *
     * @param gpu the GPU's index, or {@link #DRIVER}
     * @return the call, empty where none is under way
     */
    Optional<Running> running(int gpu) {
        return running().stream().filter(call -> call.gpu() == gpu).max(Comparator.comparingLong(Running::nanos));
    }

    /**
     * The longest call under way that the whole driver is judged by.
     *
     * @return the call, empty where none is under way
     */
    Optional<Running> runningOfDriver() {
        return running().stream()
                .filter(call -> call.gpu() == DRIVER && !call.isOfEvents())
                .max(Comparator.comparingLong(Running::nanos));
    }

    /**
     * All calls under way.
     *
     * @return by GPU, those that ask none first
     */
    List<Running> running() {
        slots.keySet().removeIf(thread -> !thread.isAlive());
        return slots.values().stream()
                .flatMap(slot -> slot.running(clock.nanos()).stream())
                .sorted(Comparator.comparingInt(Running::gpu))
                .toList();
    }

    /**
     * All calls that have returned since the start.
     *
     * @return by function and code
     */
    public List<CallCount> counts() {
        return counts.entrySet().stream()
                .flatMap(function -> function.getValue().entrySet().stream()
                        .map(code -> new CallCount(
                                function.getKey().name(),
                                new NvmlReturn(code.getKey()).cName(),
                                code.getValue().sum())))
                .sorted(Comparator.comparing(CallCount::function).thenComparing(CallCount::result))
                .toList();
    }

    /**
     * A call that has not returned.
     *
     * @param gpu the GPU's index, or {@link #DRIVER}
     * @param function what was called
     * @param nanos for how long
     */
    record Running(int gpu, NvmlFunction function, long nanos) {
        boolean late() {
            return nanos > CallDeadlines.of(function).toNanos();
        }

        /** Whether only events wait for it, and not what the driver is asked. */
        boolean isOfEvents() {
            return switch (function) {
                case nvmlEventSetCreate, nvmlEventSetWait_v2, nvmlEventSetFree -> true;
                default -> false;
            };
        }

        double seconds() {
            return nanos / 1e9;
        }
    }

    private static final class Slot {
        // Written last in before() and first in after(): whoever sees the function sees what belongs to it, or newer.
        private volatile @Nullable NvmlFunction function;
        private volatile long sinceNanos;
        private volatile int gpu;

        Optional<Running> running(long now) {
            NvmlFunction called = function;
            // A newer call may have begun since "now" was read.
            return called == null
                    ? Optional.empty()
                    : Optional.of(new Running(gpu, called, Math.max(0, now - sinceNanos)));
        }
    }
}
