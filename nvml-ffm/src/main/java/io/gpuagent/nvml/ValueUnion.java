// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/** The union {@code nvmlValue_t}, of which {@code nvmlValueType_t} says what member is set. */
final class ValueUnion {
    private ValueUnion() {}

    static Answer<Number> read(NvmlFunction function, int type, MemorySegment union) {
        return switch (type) {
            case 0 -> new Answer.Value<>(union.get(JAVA_DOUBLE, 0));
            case 1 -> Queries.unsigned(function, union.get(JAVA_INT, 0)).map(Number.class::cast);
            case 2, 3 -> Queries.unsigned(function, union.get(JAVA_LONG, 0)).map(Number.class::cast);
            case 4 -> new Answer.Value<>(union.get(JAVA_LONG, 0));
            case 5 -> new Answer.Value<>(union.get(JAVA_INT, 0));
            case 6 -> new Answer.Value<>(Short.toUnsignedInt(union.get(JAVA_SHORT, 0)));
            // A type newer than nvml.h 13.0 cannot be read.
            default -> new Answer.Unavailable<>(function);
        };
    }
}
