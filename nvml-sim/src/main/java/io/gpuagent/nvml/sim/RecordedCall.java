// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;

/**
 * One question of a capture and its answer.
 *
 * @param in what was asked, by parameter ({@code sensorType}) or field of a struct ({@code temperature.sensorType}):
 *     numbers, or the name of an object where a handle was passed
 * @param isHung whether the call never returned
 * @param code its {@code nvmlReturn_t}
 * @param out what was answered, by parameter: a number, a text, a {@link JsonTree} of fields, or under
 *     {@code infos[infoCount]} a list of those
 * @param micros how long a repeated call took, in microseconds
 */
record RecordedCall(Map<String, Object> in, boolean isHung, int code, Map<String, Object> out, double micros) {
    static RecordedCall parse(JsonTree tree) {
        return new RecordedCall(
                tree.has("in") ? tree.object("in").members() : Map.of(),
                tree.flag("hung", false),
                tree.has("code") ? tree.smallInteger("code") : Code.SUCCESS,
                tree.has("out") ? tree.object("out").members() : Map.of(),
                tree.number("micros", 0));
    }
}
