// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlFieldValue_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

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
    private static final long STRIDE = nvmlFieldValue_t.byteSize();
    private static final long FIELD_ID = offset(nvmlFieldValue_t, "fieldId");
    private static final long SCOPE_ID = offset(nvmlFieldValue_t, "scopeId");
    private static final long TIMESTAMP = offset(nvmlFieldValue_t, "timestamp");
    private static final long LATENCY = offset(nvmlFieldValue_t, "latencyUsec");
    private static final long VALUE_TYPE = offset(nvmlFieldValue_t, "valueType");
    private static final long NVML_RETURN = offset(nvmlFieldValue_t, "nvmlReturn");
    private static final long VALUE = offset(nvmlFieldValue_t, "value");

    /** No nvmlValueType_t. Drivers leave some fields untouched and yet call them successful. */
    private static final int NO_TYPE = -1;

    private final Handle device;

    Fields(Handle device) {
        this.device = device;
    }

    /**
     * Reads fields without a scope, all in one call.
     *
     * @param ids numbers of fields
     * @return an answer per field, in the order of {@code ids}; all refused where the call as a whole was
     */
    public List<Answer<Number>> read(int... ids) {
        MemorySegment values = room(ids.length);
        for (int i = 0; i < ids.length; i++) {
            request(values, i, ids[i], 0);
        }
        Batch batch = ask(FUNCTION, ids.length, values);
        List<Answer<Number>> answers = new ArrayList<>(ids.length);
        for (int i = 0; i < ids.length; i++) {
            answers.add(batch.answer(i));
        }
        return answers;
    }

    /**
     * Reads fields, all in one call.
     *
     * @param requests fields and scopes
     * @return a value per request, in the same order; all refused where the call as a whole was
     */
    public List<FieldValue> read(List<FieldRequest> requests) {
        Batch batch = ask(FUNCTION, requests);
        List<FieldValue> values = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            values.add(batch.value(i, requests.get(i)));
        }
        return values;
    }

    /**
     * Sets fields that count to zero (nvmlDeviceClearFieldValues), all in one call.
     *
     * @param requests fields and scopes
     * @return an answer for each, in the same order
     */
    public List<Answer<Done>> clear(List<FieldRequest> requests) {
        NvmlFunction function = NvmlFunction.nvmlDeviceClearFieldValues;
        Batch batch = ask(function, requests);
        return IntStream.range(0, requests.size())
                .mapToObj(i -> Queries.done(function, batch.code(i)))
                .toList();
    }

    private Batch ask(NvmlFunction function, List<FieldRequest> requests) {
        MemorySegment values = room(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            request(values, i, requests.get(i).id(), requests.get(i).scope());
        }
        return ask(function, requests.size(), values);
    }

    private Batch ask(NvmlFunction function, int count, MemorySegment values) {
        return new Batch(device.calls().call(function, device, count, values), values);
    }

    private static MemorySegment room(int count) {
        return Scratch.fresh().take(STRIDE * count);
    }

    private static void request(MemorySegment values, int index, int id, int scope) {
        values.set(JAVA_INT, index * STRIDE + FIELD_ID, id);
        values.set(JAVA_INT, index * STRIDE + SCOPE_ID, scope);
        values.set(JAVA_INT, index * STRIDE + VALUE_TYPE, NO_TYPE);
    }

    /** What a call with several fields answered. */
    private record Batch(int code, MemorySegment values) {
        int code(int index) {
            return code == NvmlReturn.SUCCESS.code() ? values.get(JAVA_INT, index * STRIDE + NVML_RETURN) : code;
        }

        FieldValue value(int index, FieldRequest request) {
            long timestamp = values.get(JAVA_LONG, index * STRIDE + TIMESTAMP);
            // Without a time the driver has read nothing, and the zero beside it is no latency.
            boolean isTimed = code(index) == NvmlReturn.SUCCESS.code() && timestamp > 0;
            return new FieldValue(
                    request,
                    answer(index),
                    isTimed ? OptionalLong.of(timestamp) : OptionalLong.empty(),
                    isTimed ? OptionalLong.of(values.get(JAVA_LONG, index * STRIDE + LATENCY)) : OptionalLong.empty());
        }

        Answer<Number> answer(int index) {
            int code = code(index);
            return code == NvmlReturn.SUCCESS.code()
                    ? ValueUnion.read(
                            FUNCTION, values.get(JAVA_INT, index * STRIDE + VALUE_TYPE), values, index * STRIDE + VALUE)
                    : Queries.refused(FUNCTION, code);
        }
    }
}
