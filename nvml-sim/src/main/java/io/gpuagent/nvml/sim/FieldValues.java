// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** {@code nvmlDeviceGetFieldValues}: a batch in which every field has a return code of its own. */
final class FieldValues implements Behaviour {
    @Override
    public void answer(Call call) {
        int count = call.integer(1);
        if (count < 1 || call.isNull(2)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        for (int i = 0; i < count; i++) {
            answerField(call, call.element(2, i));
        }
    }

    /** What a batch costs is the sum of what its fields cost. */
    static double micros(Call call) {
        double sum = 0;
        for (int i = 0; i < call.integer(1); i++) {
            @Nullable
            FieldDescription field =
                    call.gpu().card().fields().get(call.element(2, i).getInt("fieldId"));
            sum += field == null ? 0 : field.micros();
        }
        return sum;
    }

    private static void answerField(Call call, StructView out) {
        Description card = call.gpu().card();
        int id = out.getInt("fieldId");
        int scope = out.getInt("scopeId");
        @Nullable
        FieldDescription field = id < call.library().description().fieldLimit() ? card.field(id, scope) : null;
        if (field == null) {
            writeUnknown(out);
            return;
        }
        @Nullable FieldDescription link = NvLinkBehaviours.field(call, id, scope);
        if (link != null) {
            write(out, link, link.value(), call.machine().clock().epochMicros());
            return;
        }
        if (isRemappedRows(id) && call.gpu().mig().instances().exist()) {
            write(out, field, 0L, call.machine().clock().epochMicros());
            out.set("nvmlReturn", Code.NOT_SUPPORTED);
            return;
        }
        Number value = field.error() == Code.SUCCESS ? value(call.gpu(), field) : Long.valueOf(0);
        write(out, field, value, call.machine().clock().epochMicros());
    }

    static void writeUnknown(StructView out) {
        out.set("timestamp", 0L)
                .set("latencyUsec", 0L)
                .set("valueType", 0)
                .set("nvmlReturn", Code.INVALID_ARGUMENT)
                .set("value.ullVal", 0L);
    }

    static void write(StructView out, FieldDescription field, Number value, long epochMicros) {
        out.set("timestamp", field.isTimed() ? epochMicros : 0L)
                .set("latencyUsec", field.latencyMicros())
                .set("valueType", field.type())
                .set("nvmlReturn", field.error());
        if (value instanceof Double) {
            out.set("value.dVal", value);
        } else {
            // The upper half of a 32-bit value reads 0, also of a negative one.
            long bits = field.type() == 5 ? Integer.toUnsignedLong(value.intValue()) : value.longValue();
            out.set("value.ullVal", bits);
        }
    }

    private static boolean isRemappedRows(int id) {
        return id >= 142 && id <= 145;
    }

    private static Number setOr(FieldDescription field, OptionalInt set) {
        return set.isPresent() ? Long.valueOf(set.getAsInt()) : field.value();
    }

    /** By the ids of nvml.h (NVML_FI_DEV_*): what moves, and for all others what was captured. */
    private static Number value(SimulatedGpu gpu, FieldDescription field) {
        GpuState state = gpu.state();
        synchronized (gpu) {
            return switch (field.id()) {
                case 1 -> setOr(field, SettingBehaviours.eccMode(gpu));
                case 2 -> setOr(field, gpu.settings().pendingEccMode);
                case 190, 192 -> setOr(field, gpu.settings().powerLimit);
                case 3 -> state.eccErrors(0, 0);
                case 4 -> state.eccErrors(1, 0);
                case 5 -> state.eccErrors(0, 1);
                case 6 -> state.eccErrors(1, 1);
                case 82 -> gpu.sensors().memoryTemperature();
                case 83, 191 -> gpu.energyMillijoules();
                case 142, 143, 144, 145 -> state.remappedRows()[field.id() - 142];
                case 185, 186 -> gpu.sensors().powerMilliwatts();
                case 230 -> state.recoveryAction();
                case 74, 75, 76, 78, 80, 81, 269, 270, 271 ->
                    gpu.captured(field.value().longValue()) + gpu.limitedNanos(Violations.reasonsOfField(field.id()));
                // Of the PCIe link: recoveries, replays and errors, and bytes.
                case 169, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 197, 198 ->
                    gpu.captured(field.value().longValue());
                default -> field.value();
            };
        }
    }
}
