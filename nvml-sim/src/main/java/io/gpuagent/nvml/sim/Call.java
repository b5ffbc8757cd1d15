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

    private final Library library;
    private final CFunction function;
    private final long[] arguments;
    private final @Nullable Object target;

    /**
     * A call.
     *
     * @param target what the handle stands for that is its first argument: a {@link SimulatedGpu}, {@link MigDevice},
     *     {@link MigGpuInstance}, {@link MigComputeInstance} or {@link ReplayedInstance}; null for a dead handle or a function that takes none
     */
    Call(Library library, CFunction function, long[] arguments, @Nullable Object target) {
        this.library = library;
        this.function = function;
        this.arguments = arguments;
        this.target = target;
    }

    /** The library that was called. */
    Library library() {
        return library;
    }

    SimulatedDriver driver() {
        return library.driver();
    }

    Machine machine() {
        return library.driver().machine();
    }

    CFunction function() {
        return function;
    }

    /** The GPU that is asked, or whose instance is. */
    SimulatedGpu gpu() {
        @Nullable SimulatedGpu gpu = owner(target);
        if (gpu == null) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return gpu;
    }

    /** The GPU that something on a GPU belongs to. */
    static @Nullable SimulatedGpu owner(@Nullable Object target) {
        return switch (target) {
            case SimulatedGpu gpu -> gpu;
            case MigDevice device -> device.gpu();
            case ReplayedInstance instance -> instance.gpu();
            case MigGpuInstance instance -> instance.gpu();
            case MigComputeInstance compute -> compute.gpu();
            case GoneGpu gone -> gone.gpu();
            case null, default -> null;
        };
    }

    boolean asksGoneGpu() {
        return target instanceof GoneGpu;
    }

    boolean asksMigDevice() {
        return target instanceof MigDevice;
    }

    /** What the first argument stands for. */
    <T> T target(Class<T> type) {
        if (!type.isInstance(target)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return type.cast(target);
    }

    /** Ends the call with NO_PERMISSION where the process may not do that. */
    void require(Privilege privilege) {
        if (!driver().may(privilege)) {
            throw new Refusal(Code.NO_PERMISSION);
        }
    }

    long handle(int index) {
        return arguments[index];
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

    /** Ends the call where a pointer is null, before anything has been changed. */
    void requirePointer(int index) {
        if (isNull(index)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
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
        return view(layout(index), index, 0);
    }

    /** How the struct that an argument points to is laid out in the version that the caller asks for. */
    CStruct layout(int index) {
        CStruct declared = STRUCTS.get(function.parameters().get(index).type());
        if (!declared.isVersioned()) {
            return declared;
        }
        CStruct wanted = STRUCTS.byVersion(declared, readInt(index));
        if (library.description().unknownStructs().contains(wanted.name())) {
            throw new Refusal(Code.ARGUMENT_VERSION_MISMATCH);
        }
        return wanted;
    }

    /** An element of the array that an argument points to. */
    StructView element(int index, long element) {
        return element(index, element, function.parameters().get(index).type());
    }

    /** An element of an array whose struct is another than the header says. */
    StructView element(int index, long element, String struct) {
        return view(STRUCTS.get(struct), index, element);
    }

    /** An element of an array that a struct points to. */
    StructView structAt(long address, long element, String struct) {
        return view(STRUCTS.get(struct), address, element);
    }

    private StructView view(CStruct struct, int index, long element) {
        return view(struct, arguments[index], element);
    }

    private static StructView view(CStruct struct, long address, long element) {
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
    void putHandle(int index, int element, long handle) {
        NativeMemory.at(arguments[index], (element + 1L) * Long.BYTES)
                .set(ValueLayout.JAVA_LONG_UNALIGNED, (long) element * Long.BYTES, handle);
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
