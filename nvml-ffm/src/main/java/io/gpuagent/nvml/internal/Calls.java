// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The calls of one session, from nvmlInit to nvmlShutdown: each looks its function up, tells the observer and answers
 * NVML's code. A function that the library lacks answers FUNCTION_NOT_FOUND; after {@link #close} each call answers
 * UNINITIALIZED without reaching the library, so that no handle outlives its session.
 */
public final class Calls {
    private final SymbolSource symbols;
    private final CallObserver observer;
    private final LongSupplier nanos;
    private final Map<NvmlFunction, Optional<MemorySegment>> addresses = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean closed;

    public Calls(SymbolSource symbols, CallObserver observer, LongSupplier nanos) {
        this.symbols = symbols;
        this.observer = observer;
        this.nanos = nanos;
    }

    /**
     * Lets no further call in.
     *
     * @return whether the last call has returned: only then may NVML be shut down
     */
    public boolean close() {
        closed = true;
        return inFlight.get() == 0;
    }

    /** nvmlShutdown, the one call that is let through after {@link #close}. */
    public int shutdown() {
        return invoke(
                NvmlFunction.nvmlShutdown, -1, at -> (int) Shape.VOID.handle().invokeExact(at));
    }

    public int call(NvmlFunction function) {
        return admit(function, -1, at -> (int) Shape.VOID.handle().invokeExact(at));
    }

    public int call(NvmlFunction function, MemorySegment a) {
        return admit(function, -1, at -> (int) Shape.P.handle().invokeExact(at, a));
    }

    public int call(NvmlFunction function, MemorySegment a, int b) {
        return admit(function, -1, at -> (int) Shape.PI.handle().invokeExact(at, a, b));
    }

    /** Asks for a GPU by its index; the observer sees it as a call to that GPU. */
    public int attach(NvmlFunction function, int index, MemorySegment b) {
        return admit(function, index, at -> (int) Shape.IP.handle().invokeExact(at, index, b));
    }

    public int call(NvmlFunction function, Device device, MemorySegment a) {
        return admit(function, device.index(), at -> (int) Shape.PP.handle().invokeExact(at, device.handle(), a));
    }

    public int call(NvmlFunction function, Device device, MemorySegment a, int b) {
        return admit(function, device.index(), at -> (int) Shape.PPI.handle().invokeExact(at, device.handle(), a, b));
    }

    public int call(NvmlFunction function, Device device, MemorySegment a, MemorySegment b) {
        return admit(function, device.index(), at -> (int) Shape.PPP.handle().invokeExact(at, device.handle(), a, b));
    }

    public int call(NvmlFunction function, Device device, int a, MemorySegment b) {
        return admit(function, device.index(), at -> (int) Shape.PIP.handle().invokeExact(at, device.handle(), a, b));
    }

    public int call(NvmlFunction function, Device device, int a, int b, MemorySegment c) {
        return admit(
                function, device.index(), at -> (int) Shape.PIIP.handle().invokeExact(at, device.handle(), a, b, c));
    }

    public int call(
            NvmlFunction function, Device device, MemorySegment a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return admit(function, device.index(), at ->
                (int) Shape.PPPPP.handle().invokeExact(at, device.handle(), a, b, c, d));
    }

    @FunctionalInterface
    private interface Downcall {
        // Throwable, because MethodHandle.invokeExact declares it.
        int at(MemorySegment address) throws Throwable;
    }

    private int admit(NvmlFunction function, int gpu, Downcall call) {
        // Counted before the check, so that close() sees every call that passes it.
        inFlight.incrementAndGet();
        try {
            return closed ? NvmlReturn.UNINITIALIZED.code() : invoke(function, gpu, call);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private int invoke(NvmlFunction function, int gpu, Downcall call) {
        Optional<MemorySegment> address = addresses.computeIfAbsent(function, this::lookUp);
        if (address.isEmpty()) {
            return NvmlReturn.FUNCTION_NOT_FOUND.code();
        }
        observer.before(function, gpu);
        long start = nanos.getAsLong();
        int code = NvmlReturn.UNKNOWN.code();
        try {
            code = call.at(address.get());
            return code;
        } catch (Throwable e) {
            // A downcall throws only when the call itself was put together wrongly.
            throw new AssertionError(function + " could not be called", e);
        } finally {
            observer.after(function, gpu, code, nanos.getAsLong() - start);
        }
    }

    private Optional<MemorySegment> lookUp(NvmlFunction function) {
        return function.candidates().stream()
                .map(symbols::address)
                .flatMap(address -> address.stream().boxed())
                .map(MemorySegment::ofAddress)
                .findFirst();
    }
}
