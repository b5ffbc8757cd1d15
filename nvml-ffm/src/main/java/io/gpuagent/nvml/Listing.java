// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.MigLayouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The ways in which NVML gives lists. */
final class Listing {
    /**
     * Room for handles and placements of one profile. NVML takes no size for them: the buffer must hold as many as the
     * profile allows, and no GPU is cut into more than twelve.
     */
    private static final int AMPLE = 256;
    /** Where an enumeration ends that the library does not end; nvml.h 13.0 knows 17 profiles. */
    private static final int LARGEST_PROFILE = 256;

    private Listing() {}

    /**
     * Everything that a number from 0 upwards stands for. NVML says INVALID_ARGUMENT behind the last one; NOT_SUPPORTED
     * and NOT_FOUND are holes in the numbering.
     */
    static <T> Answer<List<T>> enumerate(IntFunction<Answer<T>> ask) {
        return enumerate(LARGEST_PROFILE, ask);
    }

    static <T> Answer<List<T>> enumerate(int count, IntFunction<Answer<T>> ask) {
        List<T> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            switch (ask.apply(i)) {
                case Answer.Value<T>(T value) -> found.add(value);
                case Answer.Unavailable<T> hole -> {}
                case Answer.Refused<T>(NvmlFunction function, NvmlReturn code) -> {
                    if (code.equals(NvmlReturn.INVALID_ARGUMENT)) {
                        return new Answer.Value<>(found);
                    }
                    if (!code.equals(NvmlReturn.NOT_SUPPORTED) && !code.equals(NvmlReturn.NOT_FOUND)) {
                        return new Answer.Refused<>(function, code);
                    }
                }
            }
        }
        return new Answer.Value<>(found);
    }

    /** All that the members of a list list, one after the other; the first refusal is the answer. */
    static <A, B> Answer<List<B>> gather(Answer<List<A>> members, Function<A, Answer<List<B>>> lists) {
        if (!(members instanceof Answer.Value<List<A>>(List<A> those))) {
            // Without a value, nothing is mapped: only the type changes.
            return members.map(none -> List.of());
        }
        List<B> all = new ArrayList<>();
        for (A member : those) {
            Answer<List<B>> list = lists.apply(member);
            if (!(list instanceof Answer.Value<List<B>>(List<B> some))) {
                return list;
            }
            all.addAll(some);
        }
        return new Answer.Value<>(all);
    }

    /** {@code f(parent, unsigned int profileId, handle *, unsigned int *count)}. */
    static Answer<List<Handle>> handles(Handle parent, NvmlFunction function, int profileId) {
        return array(parent, function, profileId, ADDRESS.byteSize(), out -> Queries.handle(parent, out));
    }

    /** {@code f(parent, unsigned int profileId, placement *, unsigned int *count)}. */
    static Answer<List<Placement>> placements(Handle parent, NvmlFunction function, int profileId) {
        // Placements of GPU and compute instances have the same two members.
        return array(
                parent,
                function,
                profileId,
                MigLayouts.nvmlGpuInstancePlacement_t.byteSize(),
                out -> placement(new Struct(MigLayouts.nvmlGpuInstancePlacement_t, out)));
    }

    static Placement placement(Struct struct) {
        return new Placement(struct.s32("start"), struct.s32("size"));
    }

    private static <T> Answer<List<T>> array(
            Handle parent, NvmlFunction function, int profileId, long stride, Function<MemorySegment, T> reader) {
        Scratch scratch = Scratch.fresh();
        MemorySegment array = scratch.take(AMPLE * stride);
        MemorySegment count = scratch.take(JAVA_INT);
        count.set(JAVA_INT, 0, AMPLE);
        int code = parent.calls().call(function, parent, profileId, array, count);
        return Queries.answer(
                function,
                code,
                array,
                o -> CountedArray.of(function, stride)
                        .elements(o, Integer.toUnsignedLong(count.get(JAVA_INT, 0)), reader));
    }
}
