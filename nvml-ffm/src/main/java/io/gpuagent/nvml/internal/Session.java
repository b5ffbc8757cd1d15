// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Effect;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * One session, from nvmlInit to nvmlShutdown, and what happens around each of its calls: it is let in or refused, its
 * function is looked up, the observer is told, NVML's code is answered. A function that the library lacks answers
 * FUNCTION_NOT_FOUND; after {@link #close} each call answers UNINITIALIZED without reaching the library, so that no
 * handle outlives its session.
 *
 * <p>A getter of the driver takes 300 ns and a poll makes dozens, so the way of a call is short: it allocates nothing,
 * takes no lock, and writes no memory that another GPU's thread writes.
 */
abstract class Session {
    private final Functions functions;
    private final CallObserver observer;
    private final boolean isObserved;
    private final LongSupplier nanos;
    private final Access access;
    private final Set<Allocation> allocations = ConcurrentHashMap.newKeySet();
    private final InFlight inFlight = new InFlight();
    private volatile boolean closed;

    Session(SymbolSource symbols, CallObserver observer, LongSupplier nanos, Access access) {
        this.functions = new Functions(symbols);
        this.observer = observer;
        this.isObserved = !observer.equals(CallObserver.NONE);
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
        return inFlight.isNone();
    }

    /** nvmlShutdown, the one call that is let through after {@link #close}, but for freeing what is still allocated. */
    public int shutdown() {
        allocations.forEach(Allocation::freeBeforeShutdown);
        allocations.clear();
        return make(Shape.VOID, NvmlFunction.nvmlShutdown, -1, 0, 0, 0, 0, 0, 0);
    }

    /** Frees what is still allocated when the session ends. */
    int lastCall(NvmlFunction function, Handle handle) {
        return make(Shape.P, function, handle.gpu(), at(handle.address()), 0, 0, 0, 0, 0);
    }

    void keep(Allocation allocation) {
        allocations.add(allocation);
    }

    void forget(Allocation allocation) {
        allocations.remove(allocation);
    }

    /** A pointer as an argument. */
    static long at(MemorySegment memory) {
        assert memory.isNative() : "memory of the heap has no address";
        return memory.address();
    }

    final int ask(Shape shape, NvmlFunction function, int gpu) {
        return ask(shape, function, gpu, 0, 0, 0, 0, 0, 0);
    }

    final int ask(Shape shape, NvmlFunction function, int gpu, long a) {
        return ask(shape, function, gpu, a, 0, 0, 0, 0, 0);
    }

    final int ask(Shape shape, NvmlFunction function, int gpu, long a, long b) {
        return ask(shape, function, gpu, a, b, 0, 0, 0, 0);
    }

    final int ask(Shape shape, NvmlFunction function, int gpu, long a, long b, long c) {
        return ask(shape, function, gpu, a, b, c, 0, 0, 0);
    }

    final int ask(Shape shape, NvmlFunction function, int gpu, long a, long b, long c, long d) {
        return ask(shape, function, gpu, a, b, c, d, 0, 0);
    }

    final int ask(Shape shape, NvmlFunction function, int gpu, long a, long b, long c, long d, long e) {
        return ask(shape, function, gpu, a, b, c, d, e, 0);
    }

    /** Lets a call in, or refuses it. Pointers and numbers are arguments alike, see {@link Downcall}. */
    final int ask(Shape shape, NvmlFunction function, int gpu, long a, long b, long c, long d, long e, long f) {
        // Counted before the check, so that close() sees every call that passes it.
        inFlight.enter(gpu);
        try {
            if (closed) {
                return NvmlReturn.UNINITIALIZED.code();
            }
            if (function.effect() == Effect.CHANGES && access == Access.READ_ONLY) {
                return NvmlReturn.NO_PERMISSION.code();
            }
            return make(shape, function, gpu, a, b, c, d, e, f);
        } finally {
            inFlight.leave(gpu);
        }
    }

    private int make(Shape shape, NvmlFunction function, int gpu, long a, long b, long c, long d, long e, long f) {
        Functions.Entry entry = functions.get(function);
        if (entry.shape() != shape) {
            // Called all the same, it would take whatever lies in the registers for its arguments.
            throw new AssertionError(function + " takes " + function.parameters() + ", not " + shape.parameters());
        }
        if (entry.isMissing()) {
            return NvmlReturn.FUNCTION_NOT_FOUND.code();
        }
        if (!isObserved) {
            // Nobody to tell how long it took: reading the clock twice is half of what a call costs here.
            return Downcall.make(entry.address(), shape.parameters().length(), a, b, c, d, e, f);
        }
        observer.before(function, gpu);
        long start = nanos.getAsLong();
        int code = NvmlReturn.UNKNOWN.code();
        try {
            code = Downcall.make(entry.address(), shape.parameters().length(), a, b, c, d, e, f);
            return code;
        } finally {
            observer.after(function, gpu, code, nanos.getAsLong() - start);
        }
    }
}
