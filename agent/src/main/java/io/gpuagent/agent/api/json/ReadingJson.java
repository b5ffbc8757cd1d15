// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.model.Absence;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.FabricMembership;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.Mode;
import io.gpuagent.model.NvLinkState;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.PendingRepairs;
import io.gpuagent.model.PowerLimitRange;
import io.gpuagent.model.RowRemap;
import io.gpuagent.model.SlowdownTimes;
import io.gpuagent.model.SpareRowBanks;
import io.gpuagent.model.SramErrors;
import io.gpuagent.model.UtilizationRates;
import io.gpuagent.model.mig.MigDeviceErrors;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigView;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How each type of reading is written; a part that the driver does not give is left out. */
final class ReadingJson {
    private ReadingJson() {}

    static void value(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case String text -> json.writeString(text);
            case Boolean truth -> json.writeBoolean(truth);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> number(json, number);
            case PciAddress address -> json.writeString(address.busId());
            case Set<?> reasons -> list(json, reasons.stream().sorted().toList());
            case List<?> items -> list(json, items);
            case ClockEventReason reason -> json.writeString(reason.label());
            default -> object(json, value);
        }
    }

    static void absent(JsonGenerator json, Absence why, @Nullable String detail) throws IOException {
        json.writeStringField("absent", why.name().toLowerCase(Locale.ROOT));
        if (detail != null) {
            json.writeStringField("detail", detail);
        }
    }

    /** Without an exponent, which not every reader expects. */
    static void number(JsonGenerator json, double number) throws IOException {
        json.writeNumber(BigDecimal.valueOf(number).toPlainString());
    }

    private static void list(JsonGenerator json, Collection<?> items) throws IOException {
        json.writeStartArray();
        for (Object item : items) {
            value(json, item);
        }
        json.writeEndArray();
    }

    private static void object(JsonGenerator json, Object value) throws IOException {
        json.writeStartObject();
        switch (value) {
            case UtilizationRates(double gpu, double memory) -> {
                json.writeFieldName("gpu");
                number(json, gpu);
                json.writeFieldName("memory");
                number(json, memory);
            }
            case MemoryUse use -> {
                json.writeNumberField("total_bytes", use.totalBytes());
                json.writeNumberField("free_bytes", use.freeBytes());
                json.writeNumberField("used_bytes", use.usedBytes());
                if (use.reservedBytes().isPresent()) {
                    json.writeNumberField("reserved_bytes", use.reservedBytes().getAsLong());
                }
            }
            case PcieLink(int generation, int width) -> {
                json.writeNumberField("generation", generation);
                json.writeNumberField("width", width);
            }
            case PowerLimitRange(double minWatts, double maxWatts) -> {
                json.writeFieldName("min_watts");
                number(json, minWatts);
                json.writeFieldName("max_watts");
                number(json, maxWatts);
            }
            case Mode(boolean current, boolean pending) -> {
                json.writeBooleanField("current", current);
                json.writeBooleanField("pending", pending);
            }
            case RowRemap remap -> {
                json.writeNumberField("correctable", remap.correctable());
                json.writeNumberField("uncorrectable", remap.uncorrectable());
                json.writeBooleanField("pending", remap.pending());
                json.writeBooleanField("failed", remap.failed());
            }
            case SpareRowBanks banks -> {
                json.writeNumberField("max", banks.max());
                json.writeNumberField("high", banks.high());
                json.writeNumberField("partial", banks.partial());
                json.writeNumberField("low", banks.low());
                json.writeNumberField("none", banks.none());
            }
            case SramErrors errors -> {
                json.writeNumberField("corrected", errors.corrected());
                json.writeNumberField("parity", errors.parity());
                json.writeNumberField("sec_ded", errors.secDed());
                json.writeBooleanField("threshold_exceeded", errors.thresholdExceeded());
            }
            case PendingRepairs(boolean channel, boolean tpc) -> {
                json.writeBooleanField("channel", channel);
                json.writeBooleanField("tpc", tpc);
            }
            case SlowdownTimes times -> {
                optional(json, "thermal_policy_ns", times.thermalPolicy());
                optional(json, "hardware_thermal_ns", times.hardwareThermal());
                optional(json, "power_brake_ns", times.powerBrake());
            }
            case NvLinkState link -> {
                json.writeNumberField("link", link.link());
                json.writeBooleanField("active", link.active());
                optional(json, "crc_errors", link.crcErrors());
                optional(json, "recoveries", link.recoveries());
            }
            case FabricMembership(int state, long healthMask) -> {
                json.writeNumberField("state", state);
                json.writeNumberField("health_mask", healthMask);
            }
            case GpuProcess process -> process(json, process);
            case MigView mig -> MigJson.view(json, mig);
            case MigDeviceUse use -> MigJson.use(json, use);
            case MigDeviceErrors errors -> MigJson.errors(json, errors);
            default -> throw new IllegalStateException("no JSON for " + value.getClass());
        }
        json.writeEndObject();
    }

    private static void process(JsonGenerator json, GpuProcess process) throws IOException {
        json.writeNumberField("pid", process.pid());
        if (process.usedMemoryBytes().isPresent()) {
            json.writeNumberField("used_memory_bytes", process.usedMemoryBytes().getAsLong());
        }
        instance(json, "gpu_instance", process.gpuInstance());
        instance(json, "compute_instance", process.computeInstance());
    }

    private static void optional(JsonGenerator json, String name, OptionalLong number) throws IOException {
        if (number.isPresent()) {
            json.writeNumberField(name, number.getAsLong());
        }
    }

    private static void instance(JsonGenerator json, String name, OptionalInt id) throws IOException {
        if (id.isPresent()) {
            json.writeNumberField(name, id.getAsInt());
        }
    }
}
