// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlFieldValue_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Field values: many numbers in one call (nvmlDeviceGetFieldValues), each with a return code and a type of its own. */
public final class Fields {
    /** NVML_FI_DEV_MEMORY_TEMP: temperature of the memory, degrees Celsius. */
    public static final int MEMORY_TEMP = 82;
    /** NVML_FI_DEV_POWER_AVERAGE: power draw averaged over one second, milliwatts; Ampere (except GA100) and newer. */
    public static final int POWER_AVERAGE = 185;
    /** NVML_FI_DEV_POWER_INSTANT: power draw now, milliwatts. */
    public static final int POWER_INSTANT = 186;
    /** NVML_FI_DEV_GET_GPU_RECOVERY_ACTION: 0 none, 1 reset, 2 reboot, 3 drain P2P, 4 drain and reset. */
    public static final int GET_GPU_RECOVERY_ACTION = 230;

    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetFieldValues;
    private static final long FIELD_ID = offset(nvmlFieldValue_t, "fieldId");
    private static final long VALUE_TYPE = offset(nvmlFieldValue_t, "valueType");
    private static final long NVML_RETURN = offset(nvmlFieldValue_t, "nvmlReturn");
    private static final long VALUE = offset(nvmlFieldValue_t, "value");

    private final Handle device;

    Fields(Handle device) {
        this.device = device;
    }

    /**
     * Reads fields, all in one call.
     *
     * @param ids numbers of fields
     * @return an answer per field, in the order of {@code ids}; all refused where the call as a whole was
     */
    public List<Answer<Number>> read(int... ids) {
        long stride = nvmlFieldValue_t.byteSize();
        MemorySegment values = Scratch.fresh().take(stride * ids.length);
        for (int i = 0; i < ids.length; i++) {
            values.set(JAVA_INT, i * stride + FIELD_ID, ids[i]);
        }
        int code = device.calls().call(FUNCTION, device, ids.length, values);
        List<Answer<Number>> answers = new ArrayList<>(ids.length);
        for (int i = 0; i < ids.length; i++) {
            answers.add(
                    code == NvmlReturn.SUCCESS.code()
                            ? answer(values.asSlice(i * stride, stride))
                            : Queries.refused(FUNCTION, code));
        }
        return answers;
    }

    private static Answer<Number> answer(MemorySegment field) {
        int code = field.get(JAVA_INT, NVML_RETURN);
        if (code != NvmlReturn.SUCCESS.code()) {
            return Queries.refused(FUNCTION, code);
        }
        // nvml.h: nvmlValueType_t says which member of the union nvmlValue_t is set.
        return switch (field.get(JAVA_INT, VALUE_TYPE)) {
            case 0 -> new Answer.Value<>(field.get(JAVA_DOUBLE, VALUE));
            case 1 -> Queries.unsigned(FUNCTION, field.get(JAVA_INT, VALUE)).map(Number.class::cast);
            case 2, 3 -> Queries.unsigned(FUNCTION, field.get(JAVA_LONG, VALUE)).map(Number.class::cast);
            case 4 -> new Answer.Value<>(field.get(JAVA_LONG, VALUE));
            case 5 -> new Answer.Value<>(field.get(JAVA_INT, VALUE));
            case 6 -> new Answer.Value<>(Short.toUnsignedInt(field.get(JAVA_SHORT, VALUE)));
            // A type newer than nvml.h 13.0 cannot be read.
            default -> new Answer.Unavailable<>(FUNCTION);
        };
    }
}
