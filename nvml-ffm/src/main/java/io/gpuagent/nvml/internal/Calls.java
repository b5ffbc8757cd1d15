// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Effect;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final Access access;
    private final Map<NvmlFunction, Optional<MemorySegment>> addresses = new ConcurrentHashMap<>();
    private final Set<Allocation> allocations = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean closed;

    public Calls(SymbolSource symbols, CallObserver observer, LongSupplier nanos, Access access) {
        this.symbols = symbols;
        this.observer = observer;
        this.nanos = nanos;
        this.access = access;
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

    /** nvmlShutdown, the one call that is let through after {@link #close}, but for freeing what is still allocated. */
    public int shutdown() {
        allocations.forEach(Allocation::freeBeforeShutdown);
        allocations.clear();
        return invoke(Shape.VOID, NvmlFunction.nvmlShutdown, -1, (call, at) -> (int) call.invokeExact(at));
    }

    public int call(NvmlFunction function) {
        return admit(Shape.VOID, function, -1, (call, at) -> (int) call.invokeExact(at));
    }

    public int call(NvmlFunction function, MemorySegment a) {
        return admit(Shape.P, function, -1, (call, at) -> (int) call.invokeExact(at, a));
    }

    public int call(NvmlFunction function, int a) {
        return admit(Shape.I, function, -1, (call, at) -> (int) call.invokeExact(at, a));
    }

    public int call(NvmlFunction function, MemorySegment a, int b) {
        return admit(Shape.PI, function, -1, (call, at) -> (int) call.invokeExact(at, a, b));
    }

    public int call(NvmlFunction function, int a, MemorySegment b) {
        return admit(Shape.IP, function, -1, (call, at) -> (int) call.invokeExact(at, a, b));
    }

    public int call(NvmlFunction function, int a, int b) {
        return admit(Shape.II, function, -1, (call, at) -> (int) call.invokeExact(at, a, b));
    }

    public int call(NvmlFunction function, MemorySegment a, MemorySegment b) {
        return admit(Shape.PP, function, -1, (call, at) -> (int) call.invokeExact(at, a, b));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, MemorySegment c) {
        return admit(Shape.IPP, function, -1, (call, at) -> (int) call.invokeExact(at, a, b, c));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, int c) {
        return admit(Shape.IPI, function, -1, (call, at) -> (int) call.invokeExact(at, a, b, c));
    }

    public int call(NvmlFunction function, int a, int b, MemorySegment c) {
        return admit(Shape.IIP, function, -1, (call, at) -> (int) call.invokeExact(at, a, b, c));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return admit(Shape.IPPP, function, -1, (call, at) -> (int) call.invokeExact(at, a, b, c, d));
    }

    /** Asks for a GPU by its index; the observer sees it as a call to that GPU. */
    public int attach(NvmlFunction function, int index, MemorySegment b) {
        return admit(Shape.IP, function, index, (call, at) -> (int) call.invokeExact(at, index, b));
    }

    /** Asks a device about another one; the observer sees it as a call to the first. */
    public int call(NvmlFunction function, Handle handle, Handle other, MemorySegment a) {
        return admit(Shape.PPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), other.address(), a));
    }

    /** Asks a device about another one, with a selector; the observer sees it as a call to the first. */
    public int call(NvmlFunction function, Handle handle, Handle other, int a, MemorySegment b) {
        return admit(Shape.PPIP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), other.address(), a, b));
    }

    /** Hands a device a handle of another kind, such as an event set or a sample. */
    public int call(NvmlFunction function, Handle handle, Handle other) {
        return admit(Shape.PP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), other.address()));
    }

    /** Hands a device a handle of another kind, with a selector before it. */
    public int call(NvmlFunction function, Handle handle, int a, Handle other) {
        return admit(Shape.PIP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, other.address()));
    }

    /** Hands a device a mask and a handle of another kind. */
    public int call(NvmlFunction function, Handle handle, long a, Handle other) {
        return admit(Shape.PLP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, other.address()));
    }

    public int call(NvmlFunction function, Handle handle) {
        return admit(Shape.P, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address()));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a) {
        return admit(Shape.PP, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a));
    }

    public int call(NvmlFunction function, Handle handle, int a) {
        return admit(Shape.PI, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a));
    }

    public int call(NvmlFunction function, Handle handle, long a) {
        return admit(Shape.PL, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b) {
        return admit(
                Shape.PPP, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a, b));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, int b) {
        return admit(
                Shape.PPI, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a, b));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b) {
        return admit(
                Shape.PIP, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a, b));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b) {
        return admit(
                Shape.PII, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a, b));
    }

    public int call(NvmlFunction function, Handle handle, long a, MemorySegment b) {
        return admit(
                Shape.PLP, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address(), a, b));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, MemorySegment c) {
        return admit(Shape.PIPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, int c) {
        return admit(Shape.PIPI, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, MemorySegment c) {
        return admit(Shape.PIIP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, int c) {
        return admit(Shape.PIII, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, MemorySegment c) {
        return admit(Shape.PPPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, long c) {
        return admit(Shape.PPPL, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, MemorySegment c, MemorySegment d) {
        return admit(Shape.PIIPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c, d));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, int c, MemorySegment d) {
        return admit(Shape.PIIIP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c, d));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return admit(Shape.PIPPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c, d));
    }

    public int call(
            NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return admit(Shape.PPPPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c, d));
    }

    public int call(
            NvmlFunction function, Handle handle, int a, long b, MemorySegment c, MemorySegment d, MemorySegment e) {
        return admit(Shape.PILPPP, function, handle.gpu(), (call, at) ->
                (int) call.invokeExact(at, handle.address(), a, b, c, d, e));
    }

    /** Hands over a struct that names what it asks; the observer sees it as a call to the GPU. */
    public int callFor(int gpu, NvmlFunction function, MemorySegment a) {
        return admit(Shape.P, function, gpu, (call, at) -> (int) call.invokeExact(at, a));
    }

    /** Frees what is still allocated when the session ends. */
    int lastCall(NvmlFunction function, Handle handle) {
        return invoke(Shape.P, function, handle.gpu(), (call, at) -> (int) call.invokeExact(at, handle.address()));
    }

    void keep(Allocation allocation) {
        allocations.add(allocation);
    }

    void forget(Allocation allocation) {
        allocations.remove(allocation);
    }

    @FunctionalInterface
    private interface Downcall {
        // Throwable, because MethodHandle.invokeExact declares it.
        int make(MethodHandle call, MemorySegment at) throws Throwable;
    }

    private int admit(Shape shape, NvmlFunction function, int gpu, Downcall call) {
        // Counted before the check, so that close() sees every call that passes it.
        inFlight.incrementAndGet();
        try {
            if (closed) {
                return NvmlReturn.UNINITIALIZED.code();
            }
            if (function.effect() == Effect.CHANGES && access == Access.READ_ONLY) {
                return NvmlReturn.NO_PERMISSION.code();
            }
            return invoke(shape, function, gpu, call);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private int invoke(Shape shape, NvmlFunction function, int gpu, Downcall call) {
        if (!function.parameters().equals(shape.parameters())) {
            // Called all the same, it would take whatever lies in the registers for its arguments.
            throw new AssertionError(function + " takes " + function.parameters() + ", not " + shape.parameters());
        }
        Optional<MemorySegment> address = addresses.computeIfAbsent(function, this::lookUp);
        if (address.isEmpty()) {
            return NvmlReturn.FUNCTION_NOT_FOUND.code();
        }
        observer.before(function, gpu);
        long start = nanos.getAsLong();
        int code = NvmlReturn.UNKNOWN.code();
        try {
            code = call.make(shape.handle(), address.get());
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
