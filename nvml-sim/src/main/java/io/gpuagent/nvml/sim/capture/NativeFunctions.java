// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.CFunction;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Calls C functions by name: their signature is what {@code nvml-functions.json} says. */
final class NativeFunctions {
    /** NVML_ERROR_FUNCTION_NOT_FOUND. */
    static final int FUNCTION_NOT_FOUND = 13;

    private final SymbolSource symbols;
    private final LongSupplier nanos;
    private final Map<String, MethodHandle> linked = new ConcurrentHashMap<>();

    NativeFunctions(SymbolSource symbols, LongSupplier nanos) {
        this.symbols = symbols;
        this.nanos = nanos;
    }

    /**
     * What a call came to.
     *
     * @param code its {@code nvmlReturn_t}
     * @param nanos how long it took
     */
    record Returned(int code, long nanos) {}

    boolean has(String name) {
        return symbols.address(name).isPresent();
    }

    /**
     * Calls a function.
     *
     * @param function the function
     * @param arguments a {@link MemorySegment}, {@link Integer} or {@link Long} for each parameter
     * @return its code; FUNCTION_NOT_FOUND where the library lacks it
     */
    Returned call(CFunction function, Object[] arguments) {
        OptionalLong address = symbols.address(function.name());
        if (address.isEmpty()) {
            return new Returned(FUNCTION_NOT_FOUND, 0);
        }
        MethodHandle handle = linked.computeIfAbsent(function.kinds(), NativeFunctions::link);
        MemorySegment at = MemorySegment.ofAddress(address.getAsLong());
        try {
            long start = nanos.getAsLong();
            int code = (int) handle.invokeExact(at, arguments);
            return new Returned(code, nanos.getAsLong() - start);
        } catch (Throwable e) {
            throw new AssertionError(function.name() + " could not be called", e);
        }
    }

    @SuppressWarnings("restricted") // The one place of this package that makes a downcall.
    private static MethodHandle link(String kinds) {
        MemoryLayout[] parameters = kinds.chars()
                .mapToObj(kind -> switch (kind) {
                    case 'I' -> ValueLayout.JAVA_INT;
                    case 'L' -> ValueLayout.JAVA_LONG;
                    default -> ValueLayout.ADDRESS;
                })
                .toArray(MemoryLayout[]::new);
        return Linker.nativeLinker()
                .downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters))
                .asSpreader(Object[].class, parameters.length)
                .asType(MethodType.methodType(int.class, MemorySegment.class, Object[].class));
    }
}
