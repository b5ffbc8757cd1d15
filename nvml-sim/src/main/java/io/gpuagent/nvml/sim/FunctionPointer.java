// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The Java end of one C function pointer.
 *
 * <p>The JVM holds the target of an upcall strongly for as long as the pointer lives, and the pointers live as long as
 * their library: only a weak way back from here to the library lets a driver that nobody uses any more go, with all its
 * pointers. A test run that starts hundreds of drivers would otherwise fill the code cache.
 */
final class FunctionPointer {
    private static final MethodHandle CALL;
    private static final MethodHandle CALL_FOR_TEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CALL = lookup.findVirtual(FunctionPointer.class, "call", MethodType.methodType(int.class, long[].class));
            CALL_FOR_TEXT = lookup.findVirtual(
                    FunctionPointer.class, "callForText", MethodType.methodType(long.class, long[].class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WeakReference<Library> library;
    private final CFunction function;

    private FunctionPointer(Library library, CFunction function) {
        this.library = new WeakReference<>(library);
        this.function = function;
    }

    static long make(Library library, CFunction function, Arena arena) {
        boolean returnsText = function.returns() == 'P';
        ValueLayout result = returnsText ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
        MemoryLayout[] parameters = function.kinds()
                .chars()
                .mapToObj(kind -> kind == 'I' ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
                .toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = FunctionDescriptor.of(result, parameters);
        MethodHandle target = (returnsText ? CALL_FOR_TEXT : CALL)
                .bindTo(new FunctionPointer(library, function))
                .asCollector(long[].class, parameters.length)
                .asType(descriptor.toMethodType());
        return NativeMemory.functionPointer(target, descriptor, arena);
    }

    /** Catches everything: an exception that left an upcall would end the JVM. */
    int call(long[] arguments) {
        @Nullable Library alive = library.get();
        if (alive == null) {
            return Code.UNKNOWN;
        }
        try {
            return alive.call(function, arguments);
        } catch (Throwable t) {
            alive.driver().noteFailure(function.name(), t);
            return Code.UNKNOWN;
        } finally {
            // The code that runs right now is freed with the library.
            Reference.reachabilityFence(alive);
        }
    }

    long callForText(long[] arguments) {
        @Nullable Library alive = library.get();
        try {
            return alive == null ? 0 : alive.errorText((int) arguments[0]);
        } catch (Throwable t) {
            return 0;
        } finally {
            Reference.reachabilityFence(alive);
        }
    }
}
