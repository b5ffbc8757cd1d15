// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * Calls a C function by its address. All of NVML's parameters are pointers or integers of 32 or 64 bits, and there are six
 * at the most. Where NVIDIA has drivers, each of them travels in a register of 64 bits of its own, and a callee that
 * takes 32 bits reads the lower half alone (System V ABI for x86-64, 3.2.3; AAPCS64, 6.8.2). So a signature is a number of
 * arguments, seven in all, where linking costs milliseconds per signature.
 *
 * <p>A class per number of arguments, so that each is linked when it is first needed, and that the compiler finds the
 * handle in a constant: a call through a handle that is no constant costs twice as much.
 */
final class Downcall {
    private Downcall() {}

    /** Calls with the first so many of the arguments. */
    static int make(MemorySegment function, int arguments, long a, long b, long c, long d, long e, long f) {
        try {
            return switch (arguments) {
                case 0 -> Of0.call(function);
                case 1 -> Of1.call(function, a);
                case 2 -> Of2.call(function, a, b);
                case 3 -> Of3.call(function, a, b, c);
                case 4 -> Of4.call(function, a, b, c, d);
                case 5 -> Of5.call(function, a, b, c, d, e);
                case 6 -> Of6.call(function, a, b, c, d, e, f);
                default -> throw new IllegalArgumentException(arguments + " arguments");
            };
        } catch (Throwable impossible) {
            // A downcall throws only when the call itself was put together wrongly.
            throw new AssertionError("a function of " + arguments + " arguments could not be called", impossible);
        }
    }

    @SuppressWarnings("restricted") // The one place of this library that makes a downcall.
    private static MethodHandle link(int arguments) {
        MemoryLayout[] parameters = Collections.nCopies(arguments, JAVA_LONG).toArray(MemoryLayout[]::new);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private static final class Of0 {
        private static final MethodHandle CALL = link(0);

        // Throwable, because MethodHandle.invokeExact declares it; so do the others.
        static int call(MemorySegment function) throws Throwable {
            return (int) CALL.invokeExact(function);
        }
    }

    private static final class Of1 {
        private static final MethodHandle CALL = link(1);

        static int call(MemorySegment function, long a) throws Throwable {
            return (int) CALL.invokeExact(function, a);
        }
    }

    private static final class Of2 {
        private static final MethodHandle CALL = link(2);

        static int call(MemorySegment function, long a, long b) throws Throwable {
            return (int) CALL.invokeExact(function, a, b);
        }
    }

    private static final class Of3 {
        private static final MethodHandle CALL = link(3);

        static int call(MemorySegment function, long a, long b, long c) throws Throwable {
            return (int) CALL.invokeExact(function, a, b, c);
        }
    }

    private static final class Of4 {
        private static final MethodHandle CALL = link(4);

        static int call(MemorySegment function, long a, long b, long c, long d) throws Throwable {
            return (int) CALL.invokeExact(function, a, b, c, d);
        }
    }

    private static final class Of5 {
        private static final MethodHandle CALL = link(5);

        static int call(MemorySegment function, long a, long b, long c, long d, long e) throws Throwable {
            return (int) CALL.invokeExact(function, a, b, c, d, e);
        }
    }

    private static final class Of6 {
        private static final MethodHandle CALL = link(6);

        static int call(MemorySegment function, long a, long b, long c, long d, long e, long f) throws Throwable {
            return (int) CALL.invokeExact(function, a, b, c, d, e, f);
        }
    }
}
