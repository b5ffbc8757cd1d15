// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** A GPU of a {@link FakeLibrary}. */
final class FakeGpu {
    private FakeGpu() {}

    static Gpu of(FakeLibrary library) {
        return of(library, CallObserver.NONE);
    }

    static Gpu of(FakeLibrary library, CallObserver observer) {
        return new Gpu(new Handle(
                new Calls(library, observer, () -> 0, Access.READ_ONLY), MemorySegment.ofAddress(0x1000), 0));
    }

    /** The struct that a pointer among a call's arguments points to. */
    static Struct struct(StructLayout layout, long address) {
        return new Struct(layout, FakeLibrary.memory(address, layout.byteSize()));
    }

    /** Writes an array of numbers where a pointer among a call's arguments points to. */
    static void write(long address, int... numbers) {
        MemorySegment memory = FakeLibrary.memory(address, (long) numbers.length * Integer.BYTES);
        for (int i = 0; i < numbers.length; i++) {
            memory.setAtIndex(JAVA_INT, i, numbers[i]);
        }
    }

    static int read(long address) {
        return FakeLibrary.memory(address, Integer.BYTES).get(JAVA_INT, 0);
    }
}
