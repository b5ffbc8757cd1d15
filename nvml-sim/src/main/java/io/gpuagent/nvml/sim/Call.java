// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One call of a simulated function: its arguments, and how they are answered. Null pointers end it with
 * INVALID_ARGUMENT, buffers that are too small with INSUFFICIENT_SIZE, unknown version words with
 * ARGUMENT_VERSION_MISMATCH, as the driver does.
 */
final class Call {
    private static final StructTable STRUCTS = Abi.get().structs();

    private final SimulatedDriver driver;
    private final CFunction function;
    private final long[] arguments;
    private final @Nullable SimulatedGpu gpu;

    Call(SimulatedDriver driver, CFunction function, long[] arguments, @Nullable SimulatedGpu gpu) {
        this.driver = driver;
        this.function = function;
        this.arguments = arguments;
        this.gpu = gpu;
    }

    SimulatedDriver driver() {
        return driver;
    }

    CFunction function() {
        return function;
    }

    SimulatedGpu gpu() {
        if (gpu == null) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return gpu;
    }

    int integer(int index) {
        return (int) arguments[index];
    }

    /** An argument as it was passed; 32 bits are unsigned. */
    long value(int index) {
        return function.kinds().charAt(index) == 'I' ? Integer.toUnsignedLong(integer(index)) : arguments[index];
    }

    boolean isNull(int index) {
        return arguments[index] == 0;
    }

    String text(int index) {
        return NativeMemory.string(arguments[index]);
    }

    int readInt(int index) {
        return NativeMemory.at(arguments[index], Integer.BYTES).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    void putInt(int index, int value) {
        NativeMemory.at(arguments[index], Integer.BYTES).set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
    }

    void putLong(int index, long value) {
        NativeMemory.at(arguments[index], Long.BYTES).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
    }

    /** Writes to a buffer whose length is the next argument. */
    void putText(int index, String text) {
        long needed = text.getBytes(StandardCharsets.UTF_8).length + 1L;
        MemorySegment buffer = NativeMemory.at(arguments[index], needed);
        boolean hasLength = index + 1 < arguments.length && function.isBufferLength(index + 1);
        if (hasLength && Integer.toUnsignedLong(integer(index + 1)) < needed) {
            throw new Refusal(Code.INSUFFICIENT_SIZE);
        }
        StructView.putText(buffer, text);
    }

    /** The struct that an argument points to, in the version that the caller asks for. */
    StructView struct(int index) {
        CStruct declared = STRUCTS.get(function.parameters().get(index).type());
        if (!declared.isVersioned()) {
            return view(declared, index, 0);
        }
        return view(STRUCTS.byVersion(declared, readInt(index)), index, 0);
    }

    /** An element of the array that an argument points to. */
    StructView element(int index, long element) {
        return element(index, element, function.parameters().get(index).type());
    }

    /** An element of an array whose struct is another than the header says. */
    StructView element(int index, long element, String struct) {
        return view(STRUCTS.get(struct), index, element);
    }

    private StructView view(CStruct struct, int index, long element) {
        long address = arguments[index];
        long at = address == 0 ? 0 : address + element * struct.size();
        return new StructView(NativeMemory.at(at, struct.size()), struct, STRUCTS);
    }

    /**
     * Plays the protocol of lists: the caller says how many elements fit, and learns how many there are.
     *
     * @param countIndex the argument that points to the number
     * @param count how many there are
     * @throws Refusal with INSUFFICIENT_SIZE when they do not fit; the number has been written then
     */
    void offer(int countIndex, int count) {
        long room = Integer.toUnsignedLong(readInt(countIndex));
        putInt(countIndex, count);
        if (room < count) {
            throw new Refusal(Code.INSUFFICIENT_SIZE);
        }
        if (count > 0 && isNull(countIndex + 1)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
    }

    /** Writes a handle to an element of an array of handles. */
    void putAddress(int index, int element, long address) {
        NativeMemory.at(arguments[index], (element + 1L) * Long.BYTES)
                .set(ValueLayout.JAVA_LONG_UNALIGNED, (long) element * Long.BYTES, address);
    }

    /** Writes a number to an element of an array of numbers. */
    void putElement(int index, int element, long value) {
        String type = function.parameters().get(index).type();
        boolean isWide = type.equals("unsigned long long") || type.equals("unsigned long");
        long size = isWide ? Long.BYTES : Integer.BYTES;
        MemorySegment slot = NativeMemory.at(arguments[index] + element * size, size);
        if (isWide) {
            slot.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        } else {
            slot.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) value);
        }
    }
}
