// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A library with the functions that a test gives it, each a C function pointer with Java behind it. */
public final class FakeLibrary implements SymbolSource {
    private static final MethodHandle CALL;

    static {
        try {
            CALL = MethodHandles.lookup()
                    .findVirtual(Body.class, "call", MethodType.methodType(int.class, long[].class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Arena arena = Arena.ofAuto();
    private final Map<String, Long> addresses = new HashMap<>();
    private final List<String> lookUps = new CopyOnWriteArrayList<>();

    /** A library that exports nothing. */
    public FakeLibrary() {}

    /** What a function does. It must not throw: that would end the JVM. */
    @FunctionalInterface
    public interface Body {
        /**
         * Answers a call.
         *
         * @param arguments numbers and addresses, in the order of the C signature
         * @return an {@code nvmlReturn_t}
         */
        int call(long... arguments);
    }

    /**
     * Adds a function.
     *
     * @param symbol its C name, a candidate of one of {@link NvmlFunction}
     * @param body what it does
     * @return this library
     */
    @SuppressWarnings("restricted") // A pointer for a downcall to reach.
    public FakeLibrary with(String symbol, Body body) {
        String kinds = Stream.of(NvmlFunction.values())
                .filter(function -> function.candidates().contains(symbol))
                .findFirst()
                .orElseThrow()
                .parameters();
        FunctionDescriptor descriptor = FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                kinds.chars()
                        .mapToObj(kind -> kind == 'I' ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
                        .toArray(MemoryLayout[]::new));
        MethodHandle target =
                CALL.bindTo(body).asCollector(long[].class, kinds.length()).asType(descriptor.toMethodType());
        addresses.put(
                symbol,
                Linker.nativeLinker().upcallStub(target, descriptor, arena).address());
        return this;
    }

    /**
     * Adds a function that answers a code.
     *
     * @param symbol its C name
     * @param code the code
     * @return this library
     */
    public FakeLibrary with(String symbol, NvmlReturn code) {
        return with(symbol, arguments -> code.code());
    }

    @Override
    public OptionalLong address(String symbol) {
        lookUps.add(symbol);
        Long address = addresses.get(symbol);
        return address == null ? OptionalLong.empty() : OptionalLong.of(address);
    }

    /**
     * What has been looked up.
     *
     * @return C names, in order
     */
    public List<String> lookUps() {
        return lookUps;
    }

    /**
     * The memory that a pointer among the arguments points to.
     *
     * @param address the argument
     * @param bytes how much of it may be touched
     * @return the memory
     */
    @SuppressWarnings("restricted") // C says how large it is, not the pointer.
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
