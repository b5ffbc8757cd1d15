// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Writes one kind of nonsense to texts, numbers and structs. */
final class GarbageBytes {
    private static final Pattern COUNT = Pattern.compile("[a-zA-Z]*[cC]ount|num[A-Z][a-zA-Z]*");
    /** How many more than there is room for. */
    private static final int MORE = 100;
    /** Structs in which a caller asks several things at once; only what it is answered is garbled. */
    private static final Map<String, Set<String>> ANSWERS =
            Map.of("nvmlFieldValue_t", Set.of("value"), "nvmlGpmMetric_t", Set.of("value"));

    private final Garbage kind;
    private final RandomGenerator random;

    GarbageBytes(Garbage kind, RandomGenerator random) {
        this.kind = kind;
        this.random = random;
    }

    /** Whether a parameter or field of this name tells how many there are of something. */
    static boolean isCount(String name) {
        return COUNT.matcher(name).matches();
    }

    void text(MemorySegment buffer) {
        if (kind instanceof Garbage.Pattern(boolean isOnes)) {
            for (long i = 0; i < buffer.byteSize(); i++) {
                buffer.set(ValueLayout.JAVA_BYTE, i, (byte) (isOnes ? 0xFF : 1 + random.nextInt(255)));
            }
        }
    }

    void struct(MemorySegment memory, CStruct struct) {
        Set<String> answers =
                ANSWERS.getOrDefault(struct.name(), struct.fields().keySet());
        struct.fields().forEach((name, field) -> {
            // The members of a nameless struct are listed beside it.
            if (answers.contains(name) && name.indexOf('.') < 0 && !name.equals("version")) {
                field(memory, struct, name, field);
            }
        });
    }

    private void field(MemorySegment memory, CStruct struct, String name, CStruct.Field field) {
        for (long i = 0; i < field.count(); i++) {
            MemorySegment element = memory.asSlice(field.offset() + i * field.elementSize(), field.elementSize());
            switch (field.type()) {
                case "pointer" -> {}
                case "inline" -> members(element, struct, name, field);
                case "char" -> text(element);
                case "f64" -> {
                    if (kind instanceof Garbage.Value(long number)) {
                        element.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, (double) number);
                    } else {
                        number(element, name, 0);
                    }
                }
                default -> {
                    if (Abi.get().structs().has(field.type())) {
                        struct(element, Abi.get().structs().get(field.type()));
                    } else {
                        // Room inside a struct is what it is; a list in it was as long as it says.
                        number(element, name, field.elementSize() == Integer.BYTES ? unsigned(element) : 0);
                    }
                }
            }
        }
    }

    private void members(MemorySegment element, CStruct struct, String owner, CStruct.Field field) {
        struct.fields().forEach((name, member) -> {
            boolean isMember = name.startsWith(owner + ".") || name.startsWith(owner + "[0].");
            if (isMember && !member.type().equals("pointer")) {
                MemorySegment memory = element.asSlice(member.offset() - field.offset(), member.size());
                if (member.type().equals("char")) {
                    text(memory);
                } else {
                    number(memory, "", 0);
                }
            }
        });
    }

    private static long unsigned(MemorySegment number) {
        return Integer.toUnsignedLong(number.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
    }

    /**
     * Writes a number.
     *
     * @param memory 1, 2, 4 or 8 bytes
     * @param name of the parameter or field
     * @param room how many there can be, where the number tells how many there are
     */
    void number(MemorySegment memory, String name, long room) {
        switch (kind) {
            case Garbage.Pattern(boolean isOnes) -> {
                for (long i = 0; i < memory.byteSize(); i++) {
                    memory.set(ValueLayout.JAVA_BYTE, i, (byte) (isOnes ? 0xFF : random.nextInt()));
                }
            }
            case Garbage.Value(long number) -> put(memory, number);
            case Garbage.Counts() -> {
                if (isCount(name) && memory.byteSize() == Integer.BYTES) {
                    put(memory, Math.min(Math.max(room, unsigned(memory)) + MORE, 0xFFFF_FFFFL));
                }
            }
        }
    }

    private static void put(MemorySegment memory, long number) {
        switch ((int) memory.byteSize()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, 0, (byte) number);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) number);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) number);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
        }
    }
}
