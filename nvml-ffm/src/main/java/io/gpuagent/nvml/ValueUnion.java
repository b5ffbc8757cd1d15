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
        return read(function, type, union, 0);
    }

    static Answer<Number> read(NvmlFunction function, int type, MemorySegment memory, long at) {
        return switch (type) {
            case 0 -> new Answer.Value<>(memory.get(JAVA_DOUBLE, at));
            case 1 -> unsigned(function, memory.get(JAVA_INT, at));
            case 2, 3 -> unsigned(function, memory.get(JAVA_LONG, at));
            case 4 -> new Answer.Value<>(memory.get(JAVA_LONG, at));
            case 5 -> new Answer.Value<>(memory.get(JAVA_INT, at));
            case 6 -> new Answer.Value<>(Short.toUnsignedInt(memory.get(JAVA_SHORT, at)));
            // A type newer than nvml.h 13.0 cannot be read.
            default -> new Answer.Unavailable<>(function);
        };
    }

    private static Answer<Number> unsigned(NvmlFunction function, int value) {
        return value == Queries.NOT_AVAILABLE_32
                ? new Answer.Unavailable<>(function)
                : new Answer.Value<>(Integer.toUnsignedLong(value));
    }

    private static Answer<Number> unsigned(NvmlFunction function, long value) {
        return value == Queries.NOT_AVAILABLE_64 ? new Answer.Unavailable<>(function) : new Answer.Value<>(value);
    }
}
