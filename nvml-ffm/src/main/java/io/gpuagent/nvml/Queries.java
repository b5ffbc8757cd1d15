// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The handful of ways in which most getters ask: one number, two numbers, a handle, a string. */
final class Queries {
    /** NVML_VALUE_NOT_AVAILABLE (-1), as a 32-bit field holds it. */
    static final int NOT_AVAILABLE_32 = -1;
    /** NVML_VALUE_NOT_AVAILABLE (-1), as a 64-bit field holds it. */
    static final long NOT_AVAILABLE_64 = -1;

    /** NVML_SUCCESS, where getters of every poll look without a detour. */
    static final int OK = 0;

    private Queries() {}

    static <T> Answer<T> refused(NvmlFunction function, int code) {
        return new Answer.Refused<>(function, new NvmlReturn(code));
    }

    /** The answer of an out-parameter's memory, once the call has succeeded. */
    static <T> Answer<T> answer(
            NvmlFunction function, int code, MemorySegment out, Function<MemorySegment, Answer<T>> reader) {
        return code == NvmlReturn.SUCCESS.code() ? reader.apply(out) : refused(function, code);
    }

    static Answer<Long> unsigned(NvmlFunction function, int value) {
        return value == NOT_AVAILABLE_32
                ? new Answer.Unavailable<>(function)
                : new Answer.Value<>(Integer.toUnsignedLong(value));
    }

    /** {@code f(device, unsigned int *)}. */
    static Answer<Long> u32(Handle device, NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, out);
        return code == OK ? unsigned(function, out.get(JAVA_INT, 0)) : refused(function, code);
    }

    /** {@code f(device, unsigned int selector, unsigned int *)}. */
    static Answer<Long> u32(Handle device, NvmlFunction function, int selector) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, selector, out);
        return code == OK ? unsigned(function, out.get(JAVA_INT, 0)) : refused(function, code);
    }

    /** {@code f(device, unsigned long long *)}. */
    static Answer<Long> u64(Handle device, NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(JAVA_LONG);
        int code = device.calls().call(function, device, out);
        return code == OK ? unsigned(function, out.get(JAVA_LONG, 0)) : refused(function, code);
    }

    static Answer<Long> unsigned(NvmlFunction function, long value) {
        return value == NOT_AVAILABLE_64 ? new Answer.Unavailable<>(function) : new Answer.Value<>(value);
    }

    /** Two numbers from {@code f(device, unsigned int *, unsigned int *)}. */
    record Pair(long first, long second) {}

    static Answer<Pair> pair(Handle device, NvmlFunction function) {
        Scratch scratch = Scratch.fresh();
        MemorySegment first = scratch.take(JAVA_INT);
        MemorySegment second = scratch.take(JAVA_INT);
        int code = device.calls().call(function, device, first, second);
        if (code != OK) {
            return refused(function, code);
        }
        int one = first.get(JAVA_INT, 0);
        int two = second.get(JAVA_INT, 0);
        return one == NOT_AVAILABLE_32 || two == NOT_AVAILABLE_32
                ? new Answer.Unavailable<>(function)
                : new Answer.Value<>(new Pair(Integer.toUnsignedLong(one), Integer.toUnsignedLong(two)));
    }

    /** Whether one of several 32-bit values is one that the driver does not know: half an answer is none. */
    static boolean anyNotAvailable(MemorySegment... values) {
        for (MemorySegment value : values) {
            if (value.get(JAVA_INT, 0) == NOT_AVAILABLE_32) {
                return true;
            }
        }
        return false;
    }

    /** {@code f(parent, unsigned int selector, handle *)}: something that belongs to the same GPU. */
    static Answer<Handle> handle(Handle parent, NvmlFunction function, int selector) {
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        int code = parent.calls().call(function, parent, selector, out);
        return answer(function, code, out, o -> new Answer.Value<>(handle(parent, o)));
    }

    /** The handle that an out-parameter holds. */
    static Handle handle(Handle parent, MemorySegment out) {
        return new Handle(parent.calls(), out.get(ADDRESS, 0), parent.gpu());
    }

    /** The answer of a function that only changes something. */
    static Answer<Done> done(NvmlFunction function, int code) {
        return code == NvmlReturn.SUCCESS.code() ? new Answer.Value<>(Done.DONE) : refused(function, code);
    }

    /** {@code f(device, char *, unsigned int length)}. */
    static Answer<String> string(Handle device, NvmlFunction function, int length) {
        MemorySegment out = Scratch.fresh().take(length);
        int code = device.calls().call(function, device, out, length);
        return answer(function, code, out, o -> new Answer.Value<>(string(o)));
    }

    /** A C string in a buffer of fixed size; the end of the buffer ends it where no NUL does. */
    static String string(MemorySegment buffer) {
        byte[] bytes = buffer.toArray(JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** {@code f(device, unsigned int selector, unsigned int selector, unsigned int *)}. */
    static Answer<Long> u32(Handle device, NvmlFunction function, int selector, int second) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, selector, second, out);
        return code == OK ? unsigned(function, out.get(JAVA_INT, 0)) : refused(function, code);
    }

    /** {@code f(device, int *)}. */
    static Answer<Integer> s32(Handle device, NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, out);
        return answer(function, code, out, o -> new Answer.Value<>(o.get(JAVA_INT, 0)));
    }

    /** {@code f(device, nvmlEnableState_t *)} and the like. */
    static Answer<Boolean> flag(Handle device, NvmlFunction function) {
        return u32(device, function).map(state -> state != 0);
    }

    /** {@code f(device, some enum *)}. */
    static <E extends Enum<E> & CEnum> Answer<Coded<E>> coded(Handle device, NvmlFunction function, Class<E> type) {
        return s32(device, function).map(code -> Coded.of(code, type));
    }

    /** {@code f(device, unsigned int selector, char *, unsigned int length)}. */
    static Answer<String> string(Handle device, NvmlFunction function, int selector, int length) {
        MemorySegment out = Scratch.fresh().take(length);
        int code = device.calls().call(function, device, selector, out, length);
        return answer(function, code, out, o -> new Answer.Value<>(string(o)));
    }

    /** {@code f(device, unsigned int selector, nvmlEnableState_t *)} and the like. */
    static Answer<Boolean> flag(Handle device, NvmlFunction function, int selector) {
        return u32(device, function, selector).map(state -> state != 0);
    }
}
