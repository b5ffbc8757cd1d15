// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.List;

/**
 * A label of a metric family.
 *
 * @param name its name
 * @param values the values it can have; empty where they are not a closed list
 */
public record FamilyLabel(String name, List<String> values) {
    /** Takes a copy. */
    public FamilyLabel {
        values = List.copyOf(values);
    }
}
