// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** A session over a library with the functions that a test gives it; GPU n has the handle 0x1000 + n. */
final class FakeSession {
    static final long FIRST_HANDLE = 0x1000;

    final FakeLibrary library = new FakeLibrary();
    final CallLog log = new CallLog();
    final Calls calls;

    FakeSession() {
        this(Access.READ_ONLY);
    }

    FakeSession(Access access) {
        calls = new Calls(library, log, () -> 0, access);
    }

    Gpu gpu(int index) {
        return new Gpu(new Handle(calls, MemorySegment.ofAddress(FIRST_HANDLE + index), index));
    }

    FakeSession with(String symbol, FakeLibrary.Body body) {
        library.with(symbol, body);
        return this;
    }

    FakeSession with(String symbol, NvmlReturn code) {
        library.with(symbol, code);
        return this;
    }

    /** A struct behind a pointer that a function was given. */
    static Struct struct(long address, StructLayout layout) {
        return new Struct(FakeLibrary.memory(address, layout.byteSize()), layout);
    }

    static void writeInt(long address, int value) {
        FakeLibrary.memory(address, Integer.BYTES).set(ValueLayout.JAVA_INT, 0, value);
    }

    static int readInt(long address) {
        return FakeLibrary.memory(address, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    static void writeLong(long address, long value) {
        FakeLibrary.memory(address, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, value);
    }

    /** Members of a struct, written and read as the library would. */
    record Struct(MemorySegment memory, StructLayout layout) {
        Struct set(String member, int value) {
            memory.set(ValueLayout.JAVA_INT, Layouts.offset(layout, member), value);
            return this;
        }

        Struct set(String member, long value) {
            memory.set(ValueLayout.JAVA_LONG, Layouts.offset(layout, member), value);
            return this;
        }

        Struct setByte(String member, int value) {
            return setByte(member, 0, value);
        }

        Struct setByte(String member, int index, int value) {
            memory.set(ValueLayout.JAVA_BYTE, Layouts.offset(layout, member) + index, (byte) value);
            return this;
        }

        int getInt(String member) {
            return memory.get(ValueLayout.JAVA_INT, Layouts.offset(layout, member));
        }

        int getByte(String member) {
            return memory.get(ValueLayout.JAVA_BYTE, Layouts.offset(layout, member));
        }

        long getLong(String member) {
            return memory.get(ValueLayout.JAVA_LONG, Layouts.offset(layout, member));
        }

        String getString(String member) {
            return memory.getString(Layouts.offset(layout, member), StandardCharsets.US_ASCII);
        }
    }
}
