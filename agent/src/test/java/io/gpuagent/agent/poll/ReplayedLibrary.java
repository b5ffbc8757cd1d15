// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A library whose functions answer what another one answered to the first call, and allocate nothing while they do: an
 * upcall with primitive parameters that copies memory. The simulator computes its answers in Java on the caller's thread,
 * so that nobody could tell its allocation from the agent's.
 */
final class ReplayedLibrary implements SymbolSource {
    /**
     * What the calls of a fast round fill: bytes behind each argument; 0 where it is no out-parameter. Arguments that a
     * function does not have are never looked at. Sizes are those of nvml.h, for the process lists of 32 records of 32
     * bytes, which is the room that the binding asks for.
     */
    private static final Map<String, int[]> OUT = Map.ofEntries(
            Map.entry("nvmlDeviceGetUtilizationRates", new int[] {0, 8, 0, 0}),
            Map.entry("nvmlDeviceGetEncoderUtilization", new int[] {0, 4, 4, 0}),
            Map.entry("nvmlDeviceGetDecoderUtilization", new int[] {0, 4, 4, 0}),
            Map.entry("nvmlDeviceGetJpgUtilization", new int[] {0, 4, 4, 0}),
            Map.entry("nvmlDeviceGetOfaUtilization", new int[] {0, 4, 4, 0}),
            Map.entry("nvmlDeviceGetMemoryInfo_v2", new int[] {0, 40, 0, 0}),
            Map.entry("nvmlDeviceGetComputeRunningProcesses_v3", new int[] {0, 4, 1024, 0}),
            Map.entry("nvmlDeviceGetGraphicsRunningProcesses_v3", new int[] {0, 4, 1024, 0}),
            Map.entry("nvmlDeviceGetMPSComputeRunningProcesses_v3", new int[] {0, 4, 1024, 0}),
            Map.entry("nvmlDeviceGetTemperatureV", new int[] {0, 12, 0, 0}),
            Map.entry("nvmlDeviceGetEnforcedPowerLimit", new int[] {0, 4, 0, 0}),
            Map.entry("nvmlDeviceGetClockInfo", new int[] {0, 0, 4, 0}),
            Map.entry("nvmlDeviceGetCurrentClocksEventReasons", new int[] {0, 8, 0, 0}),
            Map.entry("nvmlDeviceGetPerformanceState", new int[] {0, 4, 0, 0}),
            // Three values of nvmlFieldValue_t; the batch of the slow round asks for one.
            Map.entry("nvmlDeviceGetFieldValues", new int[] {0, 0, 120, 0}));

    private static final FunctionDescriptor FOUR_ARGUMENTS =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ANSWER = answer();

    @SuppressWarnings("restricted") // What a C function does: it writes where it is told to.
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final SymbolSource original;
    private final Arena arena = Arena.ofAuto();
    private final Map<String, Long> stubs = new ConcurrentHashMap<>();

    ReplayedLibrary(SymbolSource original) {
        this.original = original;
    }

    @Override
    public OptionalLong address(String symbol) {
        OptionalLong address = original.address(symbol);
        int[] out = OUT.get(symbol);
        return out == null || address.isEmpty()
                ? address
                : OptionalLong.of(
                        stubs.computeIfAbsent(symbol, s -> stub(new Replay(address.getAsLong(), out, arena))));
    }

    @SuppressWarnings("restricted") // A pointer for a downcall to reach.
    private long stub(Replay replay) {
        return Linker.nativeLinker()
                .upcallStub(ANSWER.bindTo(replay), FOUR_ARGUMENTS, arena)
                .address();
    }

    private static MethodHandle answer() {
        try {
            MethodType type = FOUR_ARGUMENTS.toMethodType();
            return MethodHandles.lookup().findVirtual(Replay.class, "answer", type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What one function answers. */
    private static final class Replay {
        private static final MethodHandle DOWNCALL = downcall();

        private final MemorySegment original;
        private final int[] out;
        private final MemorySegment recorded;
        private boolean isRecorded;
        private int code;

        Replay(long original, int[] out, Arena arena) {
            this.original = MemorySegment.ofAddress(original);
            this.out = out;
            this.recorded = arena.allocate(IntStream.of(out).sum());
        }

        @SuppressWarnings("restricted") // Asks the original.
        private static MethodHandle downcall() {
            return Linker.nativeLinker().downcallHandle(FOUR_ARGUMENTS);
        }

        @SuppressWarnings("unused") // Through ANSWER.
        int answer(long a, long b, long c, long d) {
            if (!isRecorded) {
                ask(a, b, c, d);
            }
            long at = copy(0, out[0], a);
            at = copy(at, out[1], b);
            at = copy(at, out[2], c);
            copy(at, out[3], d);
            return code;
        }

        private void ask(long a, long b, long c, long d) {
            try {
                code = (int) DOWNCALL.invokeExact(original, a, b, c, d);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            long[] arguments = {a, b, c, d};
            long at = 0;
            for (int i = 0; i < out.length; i++) {
                if (out[i] > 0) {
                    MemorySegment.copy(ALL, arguments[i], recorded, at, out[i]);
                    at += out[i];
                }
            }
            isRecorded = true;
        }

        private long copy(long from, int bytes, long to) {
            if (bytes > 0) {
                MemorySegment.copy(recorded, from, ALL, to, bytes);
            }
            return from + bytes;
        }
    }
}
