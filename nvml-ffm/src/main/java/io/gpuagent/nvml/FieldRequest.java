// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * A field to ask for.
 *
 * @param id NVML's number of it
 * @param scope what of it: a link, a module, or 0; see {@link FieldId#scope()}
 */
public record FieldRequest(int id, int scope) {
    /** The scope of all NVLinks together. */
    public static final int ALL_LINKS = -1;

    /**
     * A field without a scope.
     *
     * @param field the field
     * @return the request
     */
    public static FieldRequest of(FieldId field) {
        return new FieldRequest(field.id(), 0);
    }

    /**
     * A field with a scope.
     *
     * @param field the field
     * @param scope for example the number of a link
     * @return the request
     */
    public static FieldRequest of(FieldId field, int scope) {
        return new FieldRequest(field.id(), scope);
    }
}
