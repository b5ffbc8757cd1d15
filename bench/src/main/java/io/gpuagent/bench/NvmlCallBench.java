// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A getter through the typed binding, beside a bare downcall of the same function with the same arguments. The function
 * is the simulator's, or one of C that answers at once and so leaves the binding's own cost alone.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class NvmlCallBench {
    private static final String MEASURED = "nvmlDeviceGetPowerUsage";
    private static final MethodHandle DOWNCALL = downcall(ADDRESS, ADDRESS);

    /** Behind which function pointer the answer is: {@code c} or {@code simulator}. */
    @Param({"c", "simulator"})
    public String library;

    // Held, because the function pointers live as long as their driver.
    private SimulatedDriver driver;
    private Gpu bound;
    private Gpu counted;
    private MemorySegment function;
    private MemorySegment handle;
    private MemorySegment out;

    /** Opens two sessions, and gets what the bare call needs. */
    @Setup(Level.Trial)
    public void open() throws Throwable {
        driver = SimulatedDriver.start(SimProfile.parse("h200"), SystemClock.INSTANCE::nanos);
        SymbolSource symbols = library.equals("c") ? this::quickOrSimulated : driver;
        bound = gpu(symbols, CallObserver.NONE);
        counted = gpu(symbols, new CallLedger(SystemClock.INSTANCE));
        function = MemorySegment.ofAddress(symbols.address(MEASURED).orElseThrow());
        out = Arena.ofAuto().allocate(8);
        MemorySegment handleOut = Arena.ofAuto().allocate(ADDRESS);
        MemorySegment handleByIndex = MemorySegment.ofAddress(
                driver.address("nvmlDeviceGetHandleByIndex_v2").orElseThrow());
        int code = (int) downcall(JAVA_INT, ADDRESS).invokeExact(handleByIndex, 0, handleOut);
        if (code != 0 || !(bound.power().usage() instanceof Answer.Value)) {
            throw new IllegalStateException("the simulated GPU does not answer");
        }
        handle = handleOut.get(ADDRESS, 0);
    }

    /** strcmp(handle, out) of two empty strings is 0, and so is NVML_SUCCESS. */
    private OptionalLong quickOrSimulated(String symbol) {
        return symbol.equals(MEASURED)
                ? OptionalLong.of(Linker.nativeLinker()
                        .defaultLookup()
                        .find("strcmp")
                        .orElseThrow()
                        .address())
                : driver.address(symbol);
    }

    private static Gpu gpu(SymbolSource symbols, CallObserver observer) {
        return Nvml.open(symbols, observer, SystemClock.INSTANCE::nanos)
                .orThrow()
                .gpu(0)
                .orThrow();
    }

    @SuppressWarnings("restricted") // The baseline is the bare call.
    private static MethodHandle downcall(MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A bare downcall. */
    @Benchmark
    public int baselineDowncall() throws Throwable {
        return (int) DOWNCALL.invokeExact(function, handle, out);
    }

    /** The typed getter. */
    @Benchmark
    public Answer<Long> getter() {
        return bound.power().usage();
    }

    /** The typed getter, counted and timed as in the agent. */
    @Benchmark
    public Answer<Long> countedGetter() {
        return counted.power().usage();
    }
}
