// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The few restricted operations of the FFM API that a simulated driver needs, in one place. */
@SuppressWarnings("restricted")
final class NativeMemory {
    private NativeMemory() {}

    /**
     * Memory that a caller of the simulated library owns.
     *
     * @param address where it starts
     * @param size how many bytes of it the called function may touch
     * @return exactly that much
     * @throws Refusal with INVALID_ARGUMENT for a null pointer
     */
    static MemorySegment at(long address, long size) {
        if (address == 0) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /**
     * A C string that a caller passes.
     *
     * @param address where it starts
     * @return the text up to its NUL
     */
    static String string(long address) {
        return at(address, Long.MAX_VALUE).getString(0);
    }

    /**
     * Makes a C function pointer.
     *
     * @param target what it calls
     * @param descriptor its C signature
     * @param arena how long it lives
     * @return its address
     */
    static long functionPointer(MethodHandle target, FunctionDescriptor descriptor, Arena arena) {
        return Linker.nativeLinker().upcallStub(target, descriptor, arena).address();
    }
}
