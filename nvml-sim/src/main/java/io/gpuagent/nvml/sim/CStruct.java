// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A struct of {@code nvml.h} as the C compiler lays it out.
 *
 * @param name its typedef, such as {@code nvmlMemory_v2_t}
 * @param size bytes
 * @param fields its fields by name
 */
public record CStruct(String name, long size, Map<String, Field> fields) {
    /**
     * A field.
     *
     * @param offset bytes from the start
     * @param size bytes, of all elements
     * @param count elements; 1 where it is no array
     * @param type {@code u32}, {@code char}, …, {@code inline}, or the name of another struct
     */
    public record Field(long offset, long size, long count, String type) {
        /**
         * The size of one element.
         *
         * @return bytes
         */
        public long elementSize() {
            return size / count;
        }
    }

    /**
     * Whether it starts with a version word.
     *
     * @return true where the caller says which version it means
     */
    public boolean isVersioned() {
        return fields.containsKey("version");
    }

    /**
     * Finds a field, also by element of an array ({@code utilization[3].percentage}) or inside a nested struct
     * ({@code pciInfo.busId}).
     *
     * @param path its name
     * @param structs where nested structs are looked up
     * @return the field, its offset counted from the start of this struct
     */
    public Field find(String path, StructTable structs) {
        @Nullable Field direct = fields.get(path);
        if (direct != null) {
            return direct;
        }
        int dot = path.indexOf('.');
        String head = dot < 0 ? path : path.substring(0, dot);
        int bracket = head.indexOf('[');
        String array = bracket < 0 ? head : head.substring(0, bracket);
        @Nullable Field owner = fields.get(array);
        if (owner == null) {
            throw new IllegalArgumentException(name + " has no field " + path);
        }
        long index = bracket < 0 ? 0 : Long.parseLong(head, bracket + 1, head.length() - 1, 10);
        if (index >= owner.count()) {
            throw new IllegalArgumentException(name + "." + array + " has only " + owner.count() + " elements");
        }
        long shift = index * owner.elementSize();
        if (dot < 0) {
            return new Field(owner.offset() + shift, owner.elementSize(), 1, owner.type());
        }
        String rest = path.substring(dot + 1);
        if (owner.type().equals("inline")) {
            // The members of a nameless struct are listed for its first element, counted from the outer struct.
            Field first = find(array + (bracket < 0 ? "." : "[0].") + rest);
            return new Field(first.offset() + shift, first.size(), first.count(), first.type());
        }
        Field inner = structs.get(owner.type()).find(rest, structs);
        return new Field(owner.offset() + shift + inner.offset(), inner.size(), inner.count(), inner.type());
    }

    private Field find(String listed) {
        @Nullable Field field = fields.get(listed);
        if (field == null) {
            throw new IllegalArgumentException(name + " has no field " + listed);
        }
        return field;
    }
}
