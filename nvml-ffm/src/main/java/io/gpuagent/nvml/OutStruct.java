// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** A struct that is handed to a function, and its members by their C names. */
record OutStruct(StructLayout layout, MemorySegment memory) {

    /** A struct without a version, all zeros, and the only thing in this thread's buffer. */
    static OutStruct of(StructLayout layout) {
        return of(Scratch.fresh(), layout);
    }

    /** A struct without a version, all zeros. */
    static OutStruct of(Scratch scratch, StructLayout layout) {
        return new OutStruct(layout, scratch.take(layout));
    }

    /** A struct whose version word the macro NVML_STRUCT_VERSION makes. */
    static OutStruct versioned(StructLayout layout, int version) {
        return of(layout).set("version", Layouts.version(layout, version));
    }

    /** {@code f(device, struct *)}. */
    <T> Answer<T> ask(Handle device, NvmlFunction function, Function<OutStruct, T> reader) {
        return answer(function, device.calls().call(function, device, memory), reader);
    }

    /** {@code f(struct *)}. */
    <T> Answer<T> ask(Calls calls, NvmlFunction function, Function<OutStruct, T> reader) {
        return answer(function, calls.call(function, memory), reader);
    }

    private <T> Answer<T> answer(NvmlFunction function, int code, Function<OutStruct, T> reader) {
        return Queries.answer(function, code, memory, o -> new Answer.Value<>(reader.apply(this)));
    }

    OutStruct set(String member, int value) {
        memory.set(JAVA_INT, offset(member), value);
        return this;
    }

    OutStruct set(String member, byte value) {
        memory.set(JAVA_BYTE, offset(member), value);
        return this;
    }

    OutStruct set(String member, long value) {
        memory.set(JAVA_LONG, offset(member), value);
        return this;
    }

    OutStruct set(String member, MemorySegment pointer) {
        memory.set(ADDRESS, offset(member), pointer);
        return this;
    }

    MemorySegment pointer(String member) {
        return memory.get(ADDRESS, offset(member));
    }

    int u8(String member) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, offset(member)));
    }

    int s32(String member) {
        return memory.get(JAVA_INT, offset(member));
    }

    long u32(String member) {
        return Integer.toUnsignedLong(s32(member));
    }

    long u64(String member) {
        return memory.get(JAVA_LONG, offset(member));
    }

    boolean flag(String member) {
        return s32(member) != 0;
    }

    /** The first bytes of an array, copied; no more than the array has. */
    ByteBuffer bytes(String member, long count) {
        MemorySegment array = member(member);
        return ByteBuffer.wrap(
                        array.asSlice(0, Math.min(count, array.byteSize())).toArray(JAVA_BYTE))
                .asReadOnlyBuffer();
    }

    MemorySegment member(String member) {
        return memory.asSlice(
                offset(member), layout.select(PathElement.groupElement(member)).byteSize());
    }

    /** A struct among the members. */
    OutStruct inner(String member, StructLayout inner) {
        return new OutStruct(inner, member(member));
    }

    /** An element of an array of structs that this memory holds. */
    static OutStruct element(MemorySegment array, StructLayout layout, long index) {
        return new OutStruct(layout, array.asSlice(index * layout.byteSize(), layout.byteSize()));
    }

    private long offset(String member) {
        return Layouts.offset(layout, member);
    }
}
