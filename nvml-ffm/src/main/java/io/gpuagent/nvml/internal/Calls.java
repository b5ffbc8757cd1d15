// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * The calls of one session by what they take, an overload per C signature; {@link Session} makes them. Memory that is
 * handed over is this thread's {@link Scratch}, or is kept alive by the caller until the call has returned.
 */
public final class Calls extends Session {
    public Calls(SymbolSource symbols, CallObserver observer, LongSupplier nanos, Access access) {
        super(symbols, observer, nanos, access);
    }

    public int call(NvmlFunction function) {
        return ask(Shape.VOID, function, -1);
    }

    public int call(NvmlFunction function, MemorySegment a) {
        return ask(Shape.P, function, -1, at(a));
    }

    public int call(NvmlFunction function, int a) {
        return ask(Shape.I, function, -1, a);
    }

    public int call(NvmlFunction function, MemorySegment a, int b) {
        return ask(Shape.PI, function, -1, at(a), b);
    }

    public int call(NvmlFunction function, MemorySegment a, int b, int c) {
        return ask(Shape.PII, function, -1, at(a), b, c);
    }

    public int call(NvmlFunction function, int a, MemorySegment b) {
        return ask(Shape.IP, function, -1, a, at(b));
    }

    public int call(NvmlFunction function, int a, int b) {
        return ask(Shape.II, function, -1, a, b);
    }

    public int call(NvmlFunction function, MemorySegment a, MemorySegment b) {
        return ask(Shape.PP, function, -1, at(a), at(b));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, MemorySegment c) {
        return ask(Shape.IPP, function, -1, a, at(b), at(c));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, int c) {
        return ask(Shape.IPI, function, -1, a, at(b), c);
    }

    public int call(NvmlFunction function, int a, int b, MemorySegment c) {
        return ask(Shape.IIP, function, -1, a, b, at(c));
    }

    public int call(NvmlFunction function, int a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return ask(Shape.IPPP, function, -1, a, at(b), at(c), at(d));
    }

    public int call(NvmlFunction function, Numbered it, MemorySegment a) {
        return ask(Shape.IP, function, it.gpu(), it.number(), at(a));
    }

    public int call(NvmlFunction function, Numbered it, MemorySegment a, int b) {
        return ask(Shape.IPI, function, it.gpu(), it.number(), at(a), b);
    }

    public int call(NvmlFunction function, Numbered it, int a, MemorySegment b) {
        return ask(Shape.IIP, function, it.gpu(), it.number(), a, at(b));
    }

    public int call(NvmlFunction function, Numbered it, MemorySegment a, MemorySegment b) {
        return ask(Shape.IPP, function, it.gpu(), it.number(), at(a), at(b));
    }

    public int call(NvmlFunction function, Numbered it, int a, MemorySegment b, MemorySegment c) {
        return ask(Shape.IIPP, function, it.gpu(), it.number(), a, at(b), at(c));
    }

    public int call(NvmlFunction function, Numbered it, MemorySegment a, int b, MemorySegment c) {
        return ask(Shape.IPIP, function, it.gpu(), it.number(), at(a), b, at(c));
    }

    public int call(NvmlFunction function, Numbered it, MemorySegment a, MemorySegment b, MemorySegment c) {
        return ask(Shape.IPPP, function, it.gpu(), it.number(), at(a), at(b), at(c));
    }

    /** Asks for a GPU by its index; the observer sees it as a call to that GPU. */
    public int attach(NvmlFunction function, int index, MemorySegment b) {
        return ask(Shape.IP, function, index, index, at(b));
    }

    /** Asks a device about another one; the observer sees it as a call to the first. */
    public int call(NvmlFunction function, Handle handle, Handle other, MemorySegment a) {
        return ask(Shape.PPP, function, handle.gpu(), at(handle.address()), at(other.address()), at(a));
    }

    /** Asks a device about another one, with a selector; the observer sees it as a call to the first. */
    public int call(NvmlFunction function, Handle handle, Handle other, int a, MemorySegment b) {
        return ask(Shape.PPIP, function, handle.gpu(), at(handle.address()), at(other.address()), a, at(b));
    }

    /** Hands a device a handle of another kind, such as an event set or a sample. */
    public int call(NvmlFunction function, Handle handle, Handle other) {
        return ask(Shape.PP, function, handle.gpu(), at(handle.address()), at(other.address()));
    }

    /** Hands a device a handle of another kind, with a selector before it. */
    public int call(NvmlFunction function, Handle handle, int a, Handle other) {
        return ask(Shape.PIP, function, handle.gpu(), at(handle.address()), a, at(other.address()));
    }

    /** Hands a device a mask and a handle of another kind. */
    public int call(NvmlFunction function, Handle handle, long a, Handle other) {
        return ask(Shape.PLP, function, handle.gpu(), at(handle.address()), a, at(other.address()));
    }

    public int call(NvmlFunction function, Handle handle) {
        return ask(Shape.P, function, handle.gpu(), at(handle.address()));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a) {
        return ask(Shape.PP, function, handle.gpu(), at(handle.address()), at(a));
    }

    public int call(NvmlFunction function, Handle handle, int a) {
        return ask(Shape.PI, function, handle.gpu(), at(handle.address()), a);
    }

    public int call(NvmlFunction function, Handle handle, long a) {
        return ask(Shape.PL, function, handle.gpu(), at(handle.address()), a);
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b) {
        return ask(Shape.PPP, function, handle.gpu(), at(handle.address()), at(a), at(b));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, int b) {
        return ask(Shape.PPI, function, handle.gpu(), at(handle.address()), at(a), b);
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b) {
        return ask(Shape.PIP, function, handle.gpu(), at(handle.address()), a, at(b));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b) {
        return ask(Shape.PII, function, handle.gpu(), at(handle.address()), a, b);
    }

    public int call(NvmlFunction function, Handle handle, long a, MemorySegment b) {
        return ask(Shape.PLP, function, handle.gpu(), at(handle.address()), a, at(b));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, MemorySegment c) {
        return ask(Shape.PIPP, function, handle.gpu(), at(handle.address()), a, at(b), at(c));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, int c) {
        return ask(Shape.PIPI, function, handle.gpu(), at(handle.address()), a, at(b), c);
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, MemorySegment c) {
        return ask(Shape.PIIP, function, handle.gpu(), at(handle.address()), a, b, at(c));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, int c) {
        return ask(Shape.PIII, function, handle.gpu(), at(handle.address()), a, b, c);
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, MemorySegment c) {
        return ask(Shape.PPPP, function, handle.gpu(), at(handle.address()), at(a), at(b), at(c));
    }

    public int call(NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, long c) {
        return ask(Shape.PPPL, function, handle.gpu(), at(handle.address()), at(a), at(b), c);
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, MemorySegment c, MemorySegment d) {
        return ask(Shape.PIIPP, function, handle.gpu(), at(handle.address()), a, b, at(c), at(d));
    }

    public int call(NvmlFunction function, Handle handle, int a, int b, int c, MemorySegment d) {
        return ask(Shape.PIIIP, function, handle.gpu(), at(handle.address()), a, b, c, at(d));
    }

    public int call(NvmlFunction function, Handle handle, int a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return ask(Shape.PIPPP, function, handle.gpu(), at(handle.address()), a, at(b), at(c), at(d));
    }

    public int call(
            NvmlFunction function, Handle handle, MemorySegment a, MemorySegment b, MemorySegment c, MemorySegment d) {
        return ask(Shape.PPPPP, function, handle.gpu(), at(handle.address()), at(a), at(b), at(c), at(d));
    }

    public int call(
            NvmlFunction function, Handle handle, int a, long b, MemorySegment c, MemorySegment d, MemorySegment e) {
        return ask(Shape.PILPPP, function, handle.gpu(), at(handle.address()), a, b, at(c), at(d), at(e));
    }

    /** Hands over a struct that names what it asks; the observer sees it as a call to the GPU. */
    public int callFor(int gpu, NvmlFunction function, MemorySegment a) {
        return ask(Shape.P, function, gpu, at(a));
    }
}
