// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.CFunction;
import io.gpuagent.nvml.sim.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks the field values one by one, so that each has a latency of its own. */
final class FieldCalls {
    /** Beyond NVML_FI_MAX of nvml.h 13.0: a newer driver knows more. */
    private static final int LAST_ID = 400;

    /** nvml.h: NVML_FI_DEV_NVLINK_THROUGHPUT_* and what follows it take a link as their scope. */
    private static final int FIRST_PER_LINK = 138;

    private static final int LAST_PER_LINK = 141;
    private static final int LINKS = 18;
    private static final int TYPES = 7;
    private static final int SUCCESS = 0;
    private static final int INVALID_ARGUMENT = 2;
    private static final CStruct VALUE = Abi.get().structs().get("nvmlFieldValue_t");

    private final CFunction function;
    private final CapturedObject gpu;
    private final NativeFunctions functions;

    FieldCalls(CFunction function, CapturedObject gpu, NativeFunctions functions) {
        this.function = function;
        this.gpu = gpu;
        this.functions = functions;
    }

    /**
     * A field.
     *
     * @param id its id
     * @param scope what it is asked about
     */
    record Field(int id, int scope) {}

    /**
     * What a batch of one field came to.
     *
     * @param code its {@code nvmlReturn_t}
     * @param field the field; empty where the driver does not know it
     */
    record Answer(int code, Optional<CapturedField> field) {}

    List<Field> plan() {
        List<Field> fields = new ArrayList<>();
        for (int id = 1; id <= LAST_ID; id++) {
            boolean isPerLink = id >= FIRST_PER_LINK && id <= LAST_PER_LINK;
            for (int scope = 0; scope < (isPerLink ? LINKS : 1); scope++) {
                fields.add(new Field(id, scope));
            }
        }
        return fields;
    }

    Answer ask(Field field) {
        MemorySegment value = batch(field);
        NativeFunctions.Returned first = call(value);
        if (first.code() != SUCCESS) {
            return new Answer(first.code(), Optional.empty());
        }
        int code = integer(value, "nvmlReturn");
        int type = integer(value, "valueType");
        if (code == INVALID_ARGUMENT || type < 0 || type >= TYPES) {
            return new Answer(SUCCESS, Optional.empty());
        }
        NativeFunctions.Returned again = call(batch(field));
        CapturedField captured = new CapturedField(
                field.id(),
                field.scope(),
                type,
                code,
                number(value, type),
                wide(value, "timestamp") != 0,
                wide(value, "latencyUsec"),
                first.nanos() / 1_000.0,
                again.nanos() / 1_000.0);
        return new Answer(SUCCESS, Optional.of(captured));
    }

    private static MemorySegment batch(Field field) {
        MemorySegment value = Arena.ofAuto().allocate(2 * VALUE.size(), Long.BYTES);
        value.set(ValueLayout.JAVA_INT, offset("fieldId"), field.id());
        value.set(ValueLayout.JAVA_INT, offset("scopeId"), field.scope());
        return value;
    }

    private NativeFunctions.Returned call(MemorySegment value) {
        return functions.call(function, new Object[] {MemorySegment.ofAddress(gpu.handle()), 1, value});
    }

    /** By nvmlValueType_t; the upper half of a 32-bit value is not always 0. */
    private static Number number(MemorySegment value, int type) {
        long offset = offset("value");
        return switch (type) {
            case 0 -> {
                double number = value.get(ValueLayout.JAVA_DOUBLE, offset);
                yield Double.isFinite(number) ? number : 0.0;
            }
            case 1 -> Integer.toUnsignedLong(value.get(ValueLayout.JAVA_INT, offset));
            case 5 -> (long) value.get(ValueLayout.JAVA_INT, offset);
            case 6 -> (long) Short.toUnsignedInt(value.get(ValueLayout.JAVA_SHORT, offset));
            default -> value.get(ValueLayout.JAVA_LONG, offset);
        };
    }

    private static int integer(MemorySegment value, String field) {
        return value.get(ValueLayout.JAVA_INT, offset(field));
    }

    private static long wide(MemorySegment value, String field) {
        return value.get(ValueLayout.JAVA_LONG, offset(field));
    }

    private static long offset(String field) {
        return VALUE.find(field, Abi.get().structs()).offset();
    }
}
