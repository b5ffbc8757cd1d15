// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A struct in a caller's memory, written field by field. */
final class StructView {
    private final MemorySegment memory;
    private final CStruct struct;
    private final StructTable structs;

    StructView(MemorySegment memory, CStruct struct, StructTable structs) {
        this.memory = memory;
        this.struct = struct;
        this.structs = structs;
    }

    boolean has(String field) {
        return struct.fields().containsKey(field);
    }

    int getInt(String path) {
        return memory.get(
                ValueLayout.JAVA_INT_UNALIGNED, struct.find(path, structs).offset());
    }

    /** A number as the caller has it; up to 32 bits unsigned. */
    long get(String path) {
        CStruct.Field field = struct.find(path, structs);
        return switch ((int) field.elementSize()) {
            case 1 -> Byte.toUnsignedLong(memory.get(ValueLayout.JAVA_BYTE, field.offset()));
            case 2 -> Short.toUnsignedLong(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, field.offset()));
            case 4 -> Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, field.offset()));
            case 8 -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, field.offset());
            default -> throw new IllegalArgumentException(struct.name() + "." + path + " holds no number");
        };
    }

    /** A text that the caller has put there, up to its NUL. */
    String getText(String path) {
        ByteBuffer bytes = getBytes(path);
        int length = 0;
        while (length < bytes.limit() && bytes.get(length) != 0) {
            length++;
        }
        return StandardCharsets.UTF_8.decode(bytes.slice(0, length)).toString();
    }

    ByteBuffer getBytes(String path) {
        CStruct.Field field = struct.find(path, structs);
        return ByteBuffer.wrap(memory.asSlice(field.offset(), field.size()).toArray(ValueLayout.JAVA_BYTE));
    }

    String type(String path) {
        return struct.find(path, structs).type();
    }

    /** Sets everything to 0 but its version word and these fields. */
    void clear(Set<String> kept) {
        Map<String, Long> values = new HashMap<>();
        kept.forEach(path -> values.put(path, get(path)));
        if (struct.isVersioned()) {
            values.put("version", get("version"));
        }
        memory.fill((byte) 0);
        values.forEach(this::set);
    }

    /** Sets a field that not all versions of a struct have. */
    StructView setIfPresent(String field, Object value) {
        return has(field) ? set(field, value) : this;
    }

    StructView set(String path, Object value) {
        CStruct.Field field = struct.find(path, structs);
        if (value instanceof String text) {
            putText(memory.asSlice(field.offset(), field.size()), text);
        } else if (value instanceof Double number) {
            memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, field.offset(), number);
        } else {
            put(field, ((Number) value).longValue());
        }
        return this;
    }

    private void put(CStruct.Field field, long value) {
        switch ((int) field.elementSize()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, field.offset(), (byte) value);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, field.offset(), (short) value);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, field.offset(), (int) value);
            case 8 -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, field.offset(), value);
            default -> throw new IllegalArgumentException(struct.name() + " has a field that holds no number");
        }
    }

    /** Writes a text and its NUL, cut to what fits. */
    static void putText(MemorySegment buffer, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(bytes.length, buffer.byteSize() - 1);
        MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, 0, length);
        buffer.set(ValueLayout.JAVA_BYTE, length, (byte) 0);
    }
}
