// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * An array that the driver fills and of which it alone knows the size: the caller says how many elements fit, and is
 * told NVML_ERROR_INSUFFICIENT_SIZE and how many there are where they do not.
 *
 * @param function what is called
 * @param headBytes size of the argument that holds the count
 * @param countOffset where the count lies in it
 * @param elementBytes size of an element
 * @param initialCapacity how many elements are asked for first
 */
record CountedArray(NvmlFunction function, long headBytes, long countOffset, long elementBytes, int initialCapacity) {
    /** An H200 wants room for over 32 processes where one runs. */
    private static final int INITIAL_CAPACITY = 128;
    /** Elements come and go between two calls: how often an array may outgrow its buffer before we give up. */
    private static final int ATTEMPTS = 5;
    /** More than there is of anything on one GPU; keeps a mistaken count from taking all memory. */
    private static final int LARGEST_CAPACITY = 65_536;

    /** Puts what else is asked for into the head, where it is a struct, and makes the call. */
    @FunctionalInterface
    interface Request {
        int make(MemorySegment head, MemorySegment array);
    }

    /** Reads the elements out of an array, which still has room for all that were asked for. */
    @FunctionalInterface
    interface WholeReader<T> {
        Answer<List<T>> read(MemorySegment array, long count);
    }

    CountedArray(NvmlFunction function, long headBytes, long countOffset, long elementBytes) {
        this(function, headBytes, countOffset, elementBytes, INITIAL_CAPACITY);
    }

    /** For {@code f(…, unsigned int *count, T *array)}. */
    static CountedArray of(NvmlFunction function, long elementBytes) {
        return new CountedArray(function, Integer.BYTES, 0, elementBytes);
    }

    /** For {@code f(device, struct *)}, where the struct holds the count and the address of the array. */
    static CountedArray in(NvmlFunction function, StructLayout head, String count, long elementBytes) {
        return new CountedArray(function, head.byteSize(), Layouts.offset(head, count), elementBytes);
    }

    /** The same, asked for another number of elements first. */
    CountedArray startingWith(long capacity) {
        return new CountedArray(
                function, headBytes, countOffset, elementBytes, (int) Math.min(capacity, LARGEST_CAPACITY));
    }

    <T> Answer<List<T>> read(Request request, Function<MemorySegment, T> reader) {
        return readWhole(request, (array, count) -> elements(array, count, reader));
    }

    /** Reads an array as a whole, for one whose elements do not follow each other. */
    <T> Answer<List<T>> readWhole(Request request, WholeReader<T> reader) {
        int capacity = initialCapacity;
        int code = NvmlReturn.INSUFFICIENT_SIZE.code();
        for (int attempt = 0; attempt < ATTEMPTS && code == NvmlReturn.INSUFFICIENT_SIZE.code(); attempt++) {
            Scratch scratch = Scratch.fresh();
            MemorySegment head = scratch.take(headBytes);
            MemorySegment array = scratch.take(capacity * elementBytes);
            head.set(JAVA_INT, countOffset, capacity);
            code = request.make(head, array);
            long count = Integer.toUnsignedLong(head.get(JAVA_INT, countOffset));
            if (code == NvmlReturn.SUCCESS.code()) {
                // More elements than there was room for cannot have been written.
                return count > capacity ? new Answer.Unavailable<>(function) : reader.read(array, count);
            }
            // A few more than asked for, so that one that came meanwhile does not cost another round.
            capacity = (int) Math.min(Math.max(count, capacity) + 8, LARGEST_CAPACITY);
        }
        return Queries.refused(function, code);
    }

    <T> Answer<List<T>> elements(MemorySegment array, long count, Function<MemorySegment, T> reader) {
        if (count * elementBytes > array.byteSize()) {
            return new Answer.Unavailable<>(function);
        }
        List<T> elements = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            elements.add(reader.apply(array.asSlice(i * elementBytes, elementBytes)));
        }
        return new Answer.Value<>(List.copyOf(elements));
    }
}
