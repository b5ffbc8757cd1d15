// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory for a called function, filled with a pattern, between two zones of guard bytes that it must not touch. */
final class Guarded {
    /** Also a canary inside: a byte that still has it was not written. */
    static final byte PATTERN = (byte) 0xA5;

    private static final int ZONE = 64;

    private final MemorySegment whole;
    private final MemorySegment lent;
    private String type = "";

    Guarded(Arena arena, long size) {
        whole = arena.allocate(ZONE + size + ZONE, 16);
        whole.fill(PATTERN);
        lent = whole.asSlice(ZONE, size);
    }

    void type(String struct) {
        type = struct;
    }

    long address() {
        return lent.address();
    }

    MemorySegment segment() {
        return lent;
    }

    int getInt(long offset) {
        return lent.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    long getLong(long offset) {
        return lent.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    Guarded setInt(long offset, int value) {
        lent.set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
        return this;
    }

    String text() {
        return lent.getString(0);
    }

    /** Puts a number into a field of the struct that this is. */
    Guarded with(String field, int value) {
        return setInt(field(field).offset(), value);
    }

    Guarded withLong(String field, long value) {
        lent.set(ValueLayout.JAVA_LONG_UNALIGNED, field(field).offset(), value);
        return this;
    }

    long get(String field) {
        return get(field, 0);
    }

    /** A field of an element of the array of structs that this is. */
    long get(String field, int element) {
        CStruct.Field place = field(field);
        long offset = place.offset() + element * Abi.get().structs().get(type).size();
        return place.elementSize() == Long.BYTES ? getLong(offset) : Integer.toUnsignedLong(getInt(offset));
    }

    String text(String field) {
        return lent.getString(field(field).offset());
    }

    boolean isUntouched() {
        for (long i = 0; i < lent.byteSize(); i++) {
            if (lent.get(ValueLayout.JAVA_BYTE, i) != PATTERN) {
                return false;
            }
        }
        return true;
    }

    void check() {
        for (int i = 0; i < ZONE; i++) {
            assertThat(whole.get(ValueLayout.JAVA_BYTE, i))
                    .as("guard byte in front")
                    .isEqualTo(PATTERN);
            assertThat(whole.get(ValueLayout.JAVA_BYTE, whole.byteSize() - 1 - i))
                    .as("guard byte behind")
                    .isEqualTo(PATTERN);
        }
    }

    private CStruct.Field field(String name) {
        return Abi.get().structs().get(type).find(name, Abi.get().structs());
    }
}
