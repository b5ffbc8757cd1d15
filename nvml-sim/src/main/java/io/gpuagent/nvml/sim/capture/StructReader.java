// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.CStruct;
import io.gpuagent.nvml.sim.StructTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a struct into its fields by path, such as {@code utilization[1].percentage}. Elements of arrays that are 0 or
 * empty are left out: who writes the struct again starts with zeros. Of a union, the widest member is read.
 */
final class StructReader {
    private final StructTable structs;
    private final Identifiers identifiers;
    private final KnownHandles handles;

    StructReader(StructTable structs, Identifiers identifiers, KnownHandles handles) {
        this.structs = structs;
        this.identifiers = identifiers;
        this.handles = handles;
    }

    /**
     * Reads.
     *
     * @param parameter its name, for identifiers
     * @param struct its layout
     * @param memory where it is
     * @return numbers, texts and names of objects by path
     */
    Map<String, Object> read(String parameter, CStruct struct, MemorySegment memory) {
        Map<String, Object> fields = new LinkedHashMap<>();
        readMembers(new Place(parameter, "", struct, memory, 0, false), members(struct), fields);
        return fields;
    }

    /**
     * A struct inside the one that is read.
     *
     * @param name parameter and fields without indexes, for identifiers
     * @param path fields so far, with indexes
     * @param struct its layout
     * @param memory all of the outer struct
     * @param offset where in the memory it starts
     * @param inArray whether it is an element of an array
     */
    private record Place(
            String name, String path, CStruct struct, MemorySegment memory, long offset, boolean inArray) {}

    /** Fields that do not overlap, in their order. */
    private static List<Map.Entry<String, CStruct.Field>> members(CStruct struct) {
        List<Map.Entry<String, CStruct.Field>> widestFirst = new ArrayList<>();
        struct.fields().entrySet().stream()
                .filter(field -> field.getKey().indexOf('.') < 0)
                .sorted(Comparator.comparingLong((Map.Entry<String, CStruct.Field> field) ->
                                -field.getValue().size())
                        .thenComparing(field -> field.getValue().type().equals("f64")))
                .forEach(candidate -> {
                    if (widestFirst.stream().noneMatch(taken -> overlap(taken.getValue(), candidate.getValue()))) {
                        widestFirst.add(candidate);
                    }
                });
        widestFirst.sort(Comparator.comparingLong(field -> field.getValue().offset()));
        return widestFirst;
    }

    private static boolean overlap(CStruct.Field a, CStruct.Field b) {
        return a.offset() < b.offset() + b.size() && b.offset() < a.offset() + a.size();
    }

    private void readMembers(Place place, List<Map.Entry<String, CStruct.Field>> members, Map<String, Object> out) {
        for (Map.Entry<String, CStruct.Field> member : members) {
            CStruct.Field field = member.getValue();
            Place at = new Place(
                    place.name() + "." + member.getKey(),
                    place.path() + member.getKey(),
                    place.struct(),
                    place.memory(),
                    place.offset() + field.offset(),
                    place.inArray() || field.count() > 1);
            if (field.type().equals("char") && field.count() > 1) {
                readText(at, field, place.inArray(), out);
            } else if (field.type().equals("inline")) {
                readInline(place, at, member.getKey(), field, out);
            } else {
                readElements(at, field, out);
            }
        }
    }

    private void readText(Place at, CStruct.Field field, boolean inArray, Map<String, Object> out) {
        String text = text(at.memory().asSlice(at.offset(), field.size()));
        if (!text.isEmpty() || !inArray) {
            out.put(at.path(), identifiers.text(at.name(), text));
        }
    }

    /** Members of a nameless struct are listed for its first element, with the name of the outer field before them. */
    private void readInline(Place outer, Place at, String name, CStruct.Field field, Map<String, Object> out) {
        for (long i = 0; i < field.count(); i++) {
            String element = field.count() > 1 ? name + "[" + i + "]" : name;
            String prefix = field.count() > 1 ? name + "[0]." : name + ".";
            for (String listed : outer.struct().fields().keySet()) {
                if (listed.startsWith(prefix)) {
                    String inner = element + "." + listed.substring(prefix.length());
                    CStruct.Field found = outer.struct().find(inner, structs);
                    readElements(
                            new Place(
                                    at.name() + "." + listed.substring(prefix.length()),
                                    outer.path() + inner,
                                    at.struct(),
                                    at.memory(),
                                    outer.offset() + found.offset(),
                                    at.inArray()),
                            found,
                            out);
                }
            }
        }
    }

    private void readElements(Place at, CStruct.Field field, Map<String, Object> out) {
        if (field.type().equals("u8") && field.count() > 1) {
            byte[] bytes = at.memory().asSlice(at.offset(), field.size()).toArray(ValueLayout.JAVA_BYTE);
            byte[] told = identifiers.bytes(at.name(), bytes);
            for (int i = 0; i < told.length; i++) {
                putElement(at.path() + "[" + i + "]", Byte.toUnsignedLong(told[i]), out);
            }
            return;
        }
        for (long i = 0; i < field.count(); i++) {
            String path = field.count() > 1 ? at.path() + "[" + i + "]" : at.path();
            long offset = at.offset() + i * field.elementSize();
            if (structs.has(field.type())) {
                CStruct inner = structs.get(field.type());
                readMembers(
                        new Place(at.name(), path + ".", inner, at.memory(), offset, at.inArray()),
                        members(inner),
                        out);
            } else if (field.type().equals("pointer")) {
                handles.name(at.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, offset))
                        .ifPresent(name -> out.put(path, name));
            } else {
                Object value = number(at, field, offset);
                if (at.inArray()) {
                    putElement(path, value, out);
                } else {
                    out.put(path, value);
                }
            }
        }
    }

    private static void putElement(String path, Object value, Map<String, Object> out) {
        if (!value.equals(0L) && !value.equals(0.0)) {
            out.put(path, value);
        }
    }

    private Object number(Place at, CStruct.Field field, long offset) {
        MemorySegment memory = at.memory();
        if (field.type().equals("f64")) {
            double value = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset);
            // JSON has no word for what is not a number.
            return Double.isFinite(value) ? value : 0.0;
        }
        boolean isSigned = field.type().startsWith("s");
        long value = switch ((int) field.elementSize()) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, offset);
            case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset);
            case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
            default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        };
        int bits = (int) field.elementSize() * 8;
        long told = identifiers.number(at.name(), isSigned || bits == 64 ? value : value & (1L << bits) - 1);
        return isSigned ? (Object) told : unsigned(told);
    }

    /** A 64-bit number that JSON writes without a sign. */
    static Object unsigned(long value) {
        return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
    }

    /** The text up to its NUL, or to the end of its buffer. */
    static String text(MemorySegment buffer) {
        byte[] bytes = buffer.toArray(ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
