// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls NVML functions by their addresses, as a C program would, with no binding in between. Whatever it lends to a
 * function has guard bytes in front and behind.
 */
final class RawNvml implements AutoCloseable {
    private final SymbolSource symbols;
    private final Arena arena = Arena.ofShared();
    private final List<Guarded> lent = new ArrayList<>();
    private final Map<String, MethodHandle> linked = new ConcurrentHashMap<>();

    RawNvml(SymbolSource symbols) {
        this.symbols = symbols;
    }

    /**
     * Calls a function.
     *
     * @param symbol C name
     * @param arguments Integer, Long, {@link Guarded}, or null for a null pointer
     * @return its {@code nvmlReturn_t}
     */
    int call(String symbol, Object... arguments) {
        CFunction function = Abi.get().functions().get(symbol);
        MemoryLayout[] layouts = function.kinds()
                .chars()
                .mapToObj(kind -> kind == 'I' ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
                .toArray(MemoryLayout[]::new);
        Object[] passed = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            passed[i] = switch (arguments[i]) {
                case null -> 0L;
                case Guarded memory -> memory.address();
                default -> arguments[i];
            };
        }
        try {
            FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
            return (int) linked.computeIfAbsent(symbol, name -> link(name, descriptor))
                    .invokeWithArguments(passed);
        } catch (Throwable t) {
            throw new AssertionError(symbol, t);
        }
    }

    /** What {@code nvmlErrorString} says. */
    String errorText(int code) {
        try {
            FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
            return NativeMemory.string(
                    (long) link("nvmlErrorString", descriptor).invokeExact(code));
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    @SuppressWarnings("restricted")
    private MethodHandle link(String symbol, FunctionDescriptor descriptor) {
        long address = symbols.address(symbol).orElseThrow(() -> new AssertionError(symbol + " is not exported"));
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), descriptor);
    }

    /** The handle of a GPU, as a plain pointer. */
    long device(int index) {
        Guarded handle = bytes(Long.BYTES);
        int code = call("nvmlDeviceGetHandleByIndex_v2", index, handle);
        if (code != 0) {
            throw new AssertionError("no handle of GPU " + index + ": " + code);
        }
        return handle.getLong(0);
    }

    /** An {@code unsigned int} answer about a GPU. */
    int integer(String symbol, int gpu) {
        Guarded out = bytes(Integer.BYTES);
        int code = call(symbol, device(gpu), out);
        if (code != 0) {
            throw new AssertionError(symbol + " answers " + code);
        }
        return out.getInt(0);
    }

    Guarded bytes(long size) {
        Guarded memory = new Guarded(arena, size);
        lent.add(memory);
        return memory;
    }

    Guarded struct(String type) {
        return structs(type, 1);
    }

    Guarded structs(String type, int count) {
        Guarded memory = new Guarded(arena, Abi.get().structs().get(type).size() * count);
        memory.type(type);
        lent.add(memory);
        return memory;
    }

    Guarded text(String text) {
        Guarded memory = bytes(text.length() + 1L);
        memory.segment().setString(0, text);
        return memory;
    }

    /** Checks that nothing was written outside of what was lent. */
    @Override
    public void close() {
        lent.forEach(Guarded::check);
        arena.close();
    }
}
