// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;

/**
 * What {@code nvmlDeviceGetFieldValues} answers for one field id.
 *
 * @param id the id (nvml.h, NVML_FI_*)
 * @param name its name in the header, without the prefix; empty in a capture
 * @param type its {@code nvmlValueType_t}
 * @param error its {@code nvmlReturn_t}; 0 where it has a value
 * @param value a {@link Long}, or a {@link Double} where the type is a double
 * @param isTimed whether the driver puts a time stamp on it
 * @param latencyMicros what the driver says the reading took
 * @param micros what the call really took
 */
record FieldDescription(
        int id, String name, int type, int error, Number value, boolean isTimed, long latencyMicros, double micros) {
    /** In the order of nvmlValueType_enum. */
    static final List<String> TYPES = List.of(
            "DOUBLE",
            "UNSIGNED_INT",
            "UNSIGNED_LONG",
            "UNSIGNED_LONG_LONG",
            "SIGNED_LONG_LONG",
            "SIGNED_INT",
            "UNSIGNED_SHORT");

    static FieldDescription parse(JsonTree tree) {
        int type = TYPES.indexOf(tree.text("type"));
        if (type < 0) {
            throw new IllegalArgumentException(tree.place() + ".type is none of " + String.join(", ", TYPES));
        }
        boolean isRefused = tree.has("error");
        Number value = 0L;
        if (!isRefused && type == 0) {
            value = tree.number("value", 0);
        } else if (!isRefused) {
            value = tree.integer("value");
        }
        return new FieldDescription(
                tree.smallInteger("id"),
                tree.has("name") ? tree.text("name") : "",
                type,
                isRefused ? tree.smallInteger("error") : Code.SUCCESS,
                value,
                !tree.flag("untimed", false),
                (long) tree.number("latency", 0),
                tree.number("micros", 0));
    }
}
