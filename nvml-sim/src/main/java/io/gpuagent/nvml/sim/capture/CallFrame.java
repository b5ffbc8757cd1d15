// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import io.gpuagent.nvml.sim.CStruct;
import io.gpuagent.nvml.sim.StructTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call and the memory that it fills. Every buffer has far more room than the header asks for: a
 * driver newer than the header may write more.
 */
final class CallFrame {
    private static final StructTable STRUCTS = Abi.get().structs();
    private static final Set<String> WIDE = Set.of("unsigned long long", "unsigned long");
    private static final long SPARE = 4096;
    private static final int TEXT_LENGTH = 256;

    private final Question question;
    private final int room;
    private final Object[] arguments;
    private final Map<String, MemorySegment> buffers = new LinkedHashMap<>();

    /**
     * Prepares a call.
     *
     * @param question what is asked
     * @param room elements that an array may have whose length the function tells
     */
    CallFrame(Question question, int room) {
        this.question = question;
        this.room = room;
        List<CFunction.Parameter> parameters = question.function().parameters();
        arguments = new Object[parameters.size()];
        // Not a confined arena: should the call never return, its memory must stay.
        Arena arena = Arena.ofAuto();
        for (CFunction.Parameter parameter : parameters) {
            arguments[parameter.index()] = parameter.isPointer() ? buffer(parameter, arena) : value(parameter);
        }
    }

    Object[] arguments() {
        return arguments;
    }

    private Object value(CFunction.Parameter parameter) {
        if (parameter.isHandle()) {
            return MemorySegment.ofAddress(question.handle(parameter));
        }
        long value =
                question.function().isBufferLength(parameter.index()) ? TEXT_LENGTH : question.value(parameter.name());
        return question.function().kinds().charAt(parameter.index()) == 'I' ? (Object) (int) value : (Object) value;
    }

    private MemorySegment buffer(CFunction.Parameter parameter, Arena arena) {
        MemorySegment memory = arena.allocate(size(parameter) + SPARE, Long.BYTES);
        buffers.put(parameter.name(), memory);
        if (question.isLength(parameter.name())) {
            memory.set(ValueLayout.JAVA_INT, 0, room);
        }
        @Nullable CStruct struct = question.structs().get(parameter.name());
        if (struct != null) {
            question.fill(parameter.name(), struct, memory);
        }
        return memory;
    }

    private long size(CFunction.Parameter parameter) {
        if (question.lengths().containsKey(parameter.name())) {
            return 2 * elementSize(parameter) * Math.max(room, TEXT_LENGTH);
        }
        @Nullable CStruct struct = question.structs().get(parameter.name());
        return struct == null ? TEXT_LENGTH : struct.size();
    }

    private static long elementSize(CFunction.Parameter parameter) {
        if (STRUCTS.has(parameter.type())) {
            return STRUCTS.get(parameter.type()).size();
        }
        return WIDE.contains(parameter.type()) || parameter.isHandle() ? Long.BYTES : Integer.BYTES;
    }

    /** A handle that the function has given. */
    long handle(String parameter) {
        return Objects.requireNonNull(buffers.get(parameter)).get(ValueLayout.JAVA_LONG, 0);
    }

    /** How many elements the function says there are, more or fewer than there was room for. */
    int listed() {
        return question.lengths().values().stream()
                .map(buffers::get)
                .filter(memory -> memory != null)
                .mapToInt(memory -> memory.get(ValueLayout.JAVA_INT, 0))
                .findFirst()
                .orElse(0);
    }

    /**
     * Reads what the function has filled.
     *
     * @param reader of structs
     * @param handles that are given in answers
     * @param identifiers that are not told
     * @return by parameter, or by {@code array[length]}
     */
    Map<String, Object> read(StructReader reader, KnownHandles handles, Identifiers identifiers) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (CFunction.Parameter parameter : question.function().parameters()) {
            String name = parameter.name();
            @Nullable MemorySegment memory = buffers.get(name);
            if (memory == null || question.isLength(name)) {
                continue;
            }
            @Nullable String length = question.lengths().get(name);
            @Nullable CStruct struct = question.structs().get(name);
            if (length != null) {
                out.put(name + "[" + length + "]", elements(parameter, length, memory, reader, handles, identifiers));
            } else if (struct != null) {
                out.put(name, reader.read(name, struct, memory));
            } else if (parameter.type().equals("char")) {
                out.put(name, identifiers.text(name, StructReader.text(memory)));
            } else {
                out.put(name, number(parameter, memory, 0, handles, identifiers));
            }
        }
        return out;
    }

    private List<Object> elements(
            CFunction.Parameter parameter,
            String length,
            MemorySegment memory,
            StructReader reader,
            KnownHandles handles,
            Identifiers identifiers) {
        List<Object> elements = new ArrayList<>();
        long size = elementSize(parameter);
        for (int i = 0; i < length(length); i++) {
            elements.add(
                    STRUCTS.has(parameter.type())
                            ? reader.read(
                                    parameter.name(), STRUCTS.get(parameter.type()), memory.asSlice(i * size, size))
                            : number(parameter, memory, i * size, handles, identifiers));
        }
        return elements;
    }

    private int length(String parameter) {
        @Nullable MemorySegment told = buffers.get(parameter);
        if (told != null) {
            return Math.clamp(told.get(ValueLayout.JAVA_INT, 0), 0, room);
        }
        // Passed by value: in elements, or as "size" in bytes of 32-bit numbers.
        int passed = (int) question.value(parameter);
        return parameter.equals("size") ? passed / Integer.BYTES : passed;
    }

    private Object number(
            CFunction.Parameter parameter,
            MemorySegment memory,
            long offset,
            KnownHandles handles,
            Identifiers identifiers) {
        if (parameter.isHandle()) {
            return handles.meet(memory.get(ValueLayout.JAVA_LONG, offset), parameter.type(), question.object());
        }
        if (WIDE.contains(parameter.type())) {
            return StructReader.unsigned(
                    identifiers.number(parameter.name(), memory.get(ValueLayout.JAVA_LONG, offset)));
        }
        int value = memory.get(ValueLayout.JAVA_INT, offset);
        return identifiers.number(
                parameter.name(), parameter.type().equals("int") ? value : Integer.toUnsignedLong(value));
    }
}
