// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Numbered;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.function.Function;

/** The ways in which getters ask something that has a number instead of a handle: vGPUs and their types. */
final class NumberedQueries {
    private NumberedQueries() {}

    /** {@code f(id, unsigned int *)}. */
    static Answer<Long> u32(Numbered it, NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = it.calls().call(function, it, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_INT, 0)));
    }

    /** {@code f(id, unsigned int selector, unsigned int *)}. */
    static Answer<Long> u32(Numbered it, NvmlFunction function, int selector) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = it.calls().call(function, it, selector, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_INT, 0)));
    }

    /** {@code f(id, unsigned long long *)}. */
    static Answer<Long> u64(Numbered it, NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(JAVA_LONG);
        int code = it.calls().call(function, it, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_LONG, 0)));
    }

    /** {@code f(id, char *, unsigned int length)}. */
    static Answer<String> string(Numbered it, NvmlFunction function, int length) {
        MemorySegment out = Scratch.fresh().take(length);
        int code = it.calls().call(function, it, out, length);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(Queries.string(o)));
    }

    /** {@code f(id, char *, unsigned int *length)}. */
    static Answer<String> sizedString(Numbered it, NvmlFunction function, int length) {
        Scratch scratch = Scratch.fresh();
        MemorySegment out = scratch.take(length);
        MemorySegment size = scratch.take(JAVA_INT);
        size.set(JAVA_INT, 0, length);
        int code = it.calls().call(function, it, out, size);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(Queries.string(o)));
    }

    /** {@code f(id, struct *)}. */
    static <T> Answer<T> struct(Numbered it, NvmlFunction function, StructLayout layout, Function<Struct, T> reader) {
        Struct out = new Struct(layout, Scratch.fresh().take(layout));
        int code = it.calls().call(function, it, out.memory());
        return Queries.answer(function, code, out.memory(), o -> new Answer.Value<>(reader.apply(out)));
    }
}
