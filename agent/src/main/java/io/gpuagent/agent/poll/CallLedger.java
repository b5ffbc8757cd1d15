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

/** Counts NVML calls by result, and knows which call each GPU is in. */
public final class CallLedger implements CallObserver {
    /** The thread {@code driver}, which asks no GPU. */
    public static final int DRIVER = -1;

    private final Clock clock;
    private final Map<NvmlFunction, Map<Integer, LongAdder>> counts = new ConcurrentHashMap<>();
    private final Map<Integer, Slot> slots = new ConcurrentHashMap<>();

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
        Slot slot = slots.computeIfAbsent(gpu, g -> new Slot());
        slot.sinceNanos = clock.nanos();
        slot.function = function;
    }

    @Override
    public void after(NvmlFunction function, int gpu, int code, long nanos) {
        Slot slot = slots.get(gpu);
        if (slot != null) {
            slot.function = null;
        }
        counts.computeIfAbsent(function, f -> new ConcurrentHashMap<>())
                .computeIfAbsent(code, c -> new LongAdder())
                .increment();
    }

    /**
     * The call that a GPU, or the driver thread, is in.
     *
     * @param gpu the GPU's index, or {@link #DRIVER}
     * @return the call, empty where none is under way
     */
    Optional<Running> running(int gpu) {
        Slot slot = slots.get(gpu);
        // The start is written before the function: whoever sees the function sees its start or a later one.
        NvmlFunction function = slot == null ? null : slot.function;
        return slot == null || function == null
                ? Optional.empty()
                : Optional.of(new Running(gpu, function, clock.nanos() - slot.sinceNanos));
    }

    /**
     * All calls under way.
     *
     * @return by GPU, the driver thread first
     */
    List<Running> running() {
        return slots.keySet().stream()
                .sorted()
                .flatMap(gpu -> running(gpu).stream())
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

        double seconds() {
            return nanos / 1e9;
        }
    }

    private static final class Slot {
        private volatile @Nullable NvmlFunction function;
        private volatile long sinceNanos;
    }
}
