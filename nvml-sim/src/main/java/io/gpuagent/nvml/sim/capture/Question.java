// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import io.gpuagent.nvml.sim.CStruct;
import io.gpuagent.nvml.sim.StructTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One question: a function with a value for each input.
 *
 * @param entry the function and how it is asked
 * @param object whom it asks
 * @param inputs the values; a handle for an object
 * @param structs the struct that each output parameter points to, in the version that is asked for
 * @param words the version word of each struct that has one
 */
record Question(
        CaptureEntry entry,
        CapturedObject object,
        Map<String, Long> inputs,
        Map<String, CStruct> structs,
        Map<String, Integer> words) {
    private static final StructTable STRUCTS = Abi.get().structs();

    CFunction function() {
        return entry.function();
    }

    Map<String, String> lengths() {
        return entry.lengths();
    }

    boolean isLength(String parameter) {
        return entry.lengths().containsValue(parameter);
    }

    long value(String input) {
        return inputs.getOrDefault(input, 0L);
    }

    long handle(CFunction.Parameter parameter) {
        return parameter.index() == 0 ? object.handle() : value(parameter.name());
    }

    /** Puts the version word and the fields that are asked about into a struct. */
    void fill(String parameter, CStruct struct, MemorySegment memory) {
        if (words.containsKey(parameter)) {
            memory.set(ValueLayout.JAVA_INT, struct.find("version", STRUCTS).offset(), words.get(parameter));
        }
        inputs.forEach((name, value) -> {
            if (name.startsWith(parameter + ".")) {
                CStruct.Field field = struct.find(name.substring(parameter.length() + 1), STRUCTS);
                if (field.size() == Long.BYTES) {
                    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, field.offset(), value);
                } else {
                    memory.set(ValueLayout.JAVA_INT_UNALIGNED, field.offset(), value.intValue());
                }
            }
        });
    }

    /** The question as the document tells it. */
    Map<String, Object> told(KnownHandles handles, Identifiers identifiers) {
        Map<String, Object> told = new LinkedHashMap<>();
        words.forEach((parameter, word) -> told.put(parameter + ".version", Integer.toUnsignedLong(word)));
        inputs.forEach((name, value) -> {
            if (entry.unasked().contains(name)) {
                return;
            }
            boolean isHandle = name.indexOf('.') < 0
                    && function().parameters().get(function().index(name)).isHandle();
            told.put(
                    name,
                    isHandle
                            ? (Object) handles.name(value).orElse("unknown")
                            : StructReader.unsigned(identifiers.number(name, value)));
        });
        return told;
    }
}
