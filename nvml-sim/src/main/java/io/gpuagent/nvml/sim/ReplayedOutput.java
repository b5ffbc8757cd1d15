// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes a recorded answer to where the parameters of a call point. */
final class ReplayedOutput {
    private final Call call;
    private final Map<String, Object> asked;
    private final Map<String, Long> handles;

    /**
     * Prepares to write.
     *
     * @param call where to
     * @param asked the fields that the caller has filled, which stay
     * @param handles by the name of their object
     */
    ReplayedOutput(Call call, Map<String, Object> asked, Map<String, Long> handles) {
        this.call = call;
        this.asked = asked;
        this.handles = handles;
    }

    void write(Map<String, Object> out) {
        // All pointers are looked at before the first is written to: a refused call leaves nothing behind.
        for (String key : out.keySet()) {
            if ((key.indexOf('[') < 0 || isFixed(key)) && call.isNull(index(key.replaceFirst("\\[.*", "")))) {
                throw new Refusal(Code.INVALID_ARGUMENT);
            }
        }
        out.forEach((key, value) -> {
            if (value instanceof List<?> items) {
                writeArray(key, items);
            } else {
                writeOne(index(key), value);
            }
        });
    }

    /** Whether the caller passes the length of an array by value, and so cannot ask for it. */
    private boolean isFixed(String key) {
        int count = index(key.substring(key.indexOf('[') + 1, key.length() - 1));
        return !call.function().parameters().get(count).isPointer();
    }

    private int index(String parameter) {
        return call.function().index(parameter);
    }

    private void writeOne(int index, Object value) {
        switch (value) {
            case JsonTree fields -> {
                StructView struct = call.struct(index);
                struct.clear(kept(call.function().parameters().get(index).name() + "."));
                write(struct, fields);
            }
            case String text when isHandle(index) -> call.putHandle(index, 0, handle(text));
            case String text -> call.putText(index, text);
            default -> call.putElement(index, 0, ((Number) value).longValue());
        }
    }

    private Set<String> kept(String prefix) {
        Set<String> fields = new HashSet<>();
        for (String key : asked.keySet()) {
            if (key.startsWith(prefix)) {
                fields.add(key.substring(prefix.length()));
            }
        }
        return fields;
    }

    private void write(StructView struct, JsonTree fields) {
        fields.members().forEach((path, value) -> {
            boolean isAddress = value instanceof String && struct.type(path).equals("pointer");
            struct.set(path, isAddress ? (Object) handle((String) value) : value);
        });
    }

    /** {@code infos[infoCount]}: the array and the parameter that gives its length. */
    private void writeArray(String key, List<?> items) {
        int bracket = key.indexOf('[');
        int array = index(key.substring(0, bracket));
        int count = index(key.substring(bracket + 1, key.length() - 1));
        if (!call.function().parameters().get(count).isPointer()) {
            writeFixed(array, count, items);
            return;
        }
        if (call.isNull(array)) {
            // Asked for the length alone.
            call.putInt(count, items.size());
            if (count < array && !items.isEmpty()) {
                throw new Refusal(Code.INSUFFICIENT_SIZE);
            }
            return;
        }
        long room = Integer.toUnsignedLong(call.readInt(count));
        call.putInt(count, items.size());
        if (room < items.size()) {
            throw new Refusal(Code.INSUFFICIENT_SIZE);
        }
        for (int i = 0; i < items.size(); i++) {
            writeElement(array, i, items.get(i));
        }
    }

    /** An array whose length the caller passes by value: what it has room for beyond the recorded one is 0. */
    private void writeFixed(int array, int count, List<?> items) {
        boolean isInBytes = call.function().parameters().get(count).name().equals("size");
        int room = isInBytes ? call.integer(count) / Integer.BYTES : call.integer(count);
        for (int i = 0; i < room; i++) {
            writeElement(array, i, i < items.size() ? items.get(i) : (Object) 0L);
        }
    }

    private void writeElement(int array, int element, Object value) {
        switch (value) {
            case JsonTree fields -> {
                StructView struct = call.element(array, element);
                struct.clear(Set.of());
                write(struct, fields);
            }
            case String object -> call.putHandle(array, element, handle(object));
            default -> call.putElement(array, element, ((Number) value).longValue());
        }
    }

    private boolean isHandle(int index) {
        return call.function().parameters().get(index).isHandle();
    }

    private long handle(String object) {
        return handles.getOrDefault(object, 0L);
    }
}
