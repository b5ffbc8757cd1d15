// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With its load stopped, the simulated H200 answers what a sweep over all getters of a real one found; the sweep was made
 * through Python and is kept in its form.
 */
class CapturedAnswersIT {
    /** Replaced in the capture, and different for each simulated GPU. */
    private static final Set<String> IDENTITY = Set.of("nvmlDeviceGetUUID");

    /** The sweep read these one after another, so they moved between the calls. */
    private static final Set<Integer> MOVING_FIELDS = Set.of(83, 185, 186, 191);

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), new ManualNanos());
    private final RawNvml nvml = new RawNvml(driver);
    private JsonTree sweep;

    @BeforeEach
    void readSweep() throws IOException {
        sweep = JsonTree.read("h200-sweep.json", CapturedAnswersIT.class.getResourceAsStream("h200-sweep.json"));
        driver.freeze();
        nvml.call("nvmlInit_v2");
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void everyGetterOfTheSweepAnswersAsTheCardDid() {
        JsonTree calls = sweep.object("calls");
        assertThat(calls.members()).hasSizeGreaterThan(140);
        for (String name : calls.members().keySet()) {
            if (!IDENTITY.contains(name)) {
                assertAnswers(Abi.get().functions().get(name), calls.object(name));
            }
        }
    }

    private void assertAnswers(CFunction function, JsonTree captured) {
        List<Object> arguments = new ArrayList<>();
        List<Guarded> outputs = new ArrayList<>();
        for (CFunction.Parameter parameter : function.parameters()) {
            if (parameter.isOutput()) {
                Guarded output = output(function, parameter);
                outputs.add(output);
                arguments.add(output);
            } else {
                arguments.add(input(function, parameter));
            }
        }
        int code = nvml.call(function.name(), arguments.toArray());

        assertThat(code).as(function.name()).isEqualTo(captured.has("error") ? captured.smallInteger("error") : 0);
        if (code == 0) {
            assertValue(function.name(), outputs, captured.members().get("value"));
        }
    }

    private Object input(CFunction function, CFunction.Parameter parameter) {
        if (parameter.type().equals("nvmlDevice_t")) {
            return nvml.device(0);
        }
        // A length of bytes for texts and arrays, sensor 0 and the like otherwise.
        return parameter.name().equals("size") || function.isBufferLength(parameter.index()) ? (Object) 64 : (Object) 0;
    }

    private Guarded output(CFunction function, CFunction.Parameter parameter) {
        if (!Abi.get().structs().has(parameter.type())) {
            boolean isCount = parameter.name().toLowerCase(Locale.ROOT).endsWith("count");
            return nvml.bytes(64).setInt(0, isCount ? 8 : 0);
        }
        CStruct struct = Abi.get().structs().get(parameter.type());
        boolean isArray = parameter.index() > 0
                && function.parameters().get(parameter.index() - 1).isOutput();
        Guarded output = nvml.structs(parameter.type(), isArray ? 8 : 1);
        if (struct.isVersioned()) {
            int version = struct.name().replaceFirst("_t$", "").endsWith("_v2") ? 2 : 1;
            output.with("version", (int) struct.size() | version << 24);
        }
        return output;
    }

    private void assertValue(String name, List<Guarded> outputs, Object value) {
        switch (value) {
            case String text -> assertText(name, outputs.getFirst(), text);
            case Long number ->
                assertThat(number(outputs.getFirst(), number)).as(name).isEqualTo(number);
            case JsonTree fields ->
                fields.members().forEach((field, expected) -> {
                    Guarded struct = outputs.getLast();
                    if (field.equals("version")) {
                        return;
                    }
                    Object found = expected instanceof String ? struct.text(field) : (Object) struct.get(field);
                    assertThat(found).as(name + "." + field).isEqualTo(expected);
                });
            case List<?> values -> assertList(name, outputs, values);
            default -> throw new AssertionError(name + " has a strange value");
        }
    }

    /** Python gives the only field of a struct as if it were the value. */
    private static void assertText(String name, Guarded output, String text) {
        String found = output.segment().byteSize() > 1000 ? output.text("str") : output.text();
        assertThat(found).as(name).isEqualTo(text);
    }

    private static long number(Guarded output, long expected) {
        boolean isVersionedStruct =
                output.segment().byteSize() != 64 && output.segment().byteSize() > 4;
        long offset = isVersionedStruct ? output.segment().byteSize() >= 16 ? 8 : 4 : 0;
        return expected > Integer.MAX_VALUE ? output.getLong(offset) : output.getInt(offset);
    }

    private static void assertList(String name, List<Guarded> outputs, List<?> values) {
        for (int i = 0; i < values.size(); i++) {
            long expected = (Long) values.get(i);
            if (name.equals("nvmlDeviceGetSupportedMemoryClocks")) {
                assertThat(outputs.getFirst().getInt(0)).as(name).isEqualTo(values.size());
                assertThat(outputs.get(1).getInt(4L * i)).as(name).isEqualTo((int) expected);
            } else if (name.equals("nvmlDeviceGetSupportedPerformanceStates")) {
                assertThat(outputs.getFirst().getInt(4L * i)).as(name).isEqualTo((int) expected);
            } else if (name.equals("nvmlDeviceGetRepairStatus")) {
                assertThat(outputs.getFirst().getInt(4L + 4L * i)).as(name).isEqualTo((int) expected);
            } else {
                assertThat(outputs.get(i).getInt(0)).as(name).isEqualTo((int) expected);
            }
        }
        if (values.isEmpty()) {
            assertThat(outputs.getFirst().getInt(0)).as(name).isZero();
        }
    }

    @Test
    void everyFieldOfTheSweepAnswersAsTheCardDid() {
        JsonTree fields = sweep.object("fields");
        List<Integer> ids =
                fields.members().keySet().stream().map(Integer::valueOf).toList();
        Guarded batch = nvml.structs("nvmlFieldValue_t", ids.size());
        long size = Abi.get().structs().get("nvmlFieldValue_t").size();
        for (int i = 0; i < ids.size(); i++) {
            batch.setInt(i * size, ids.get(i)).setInt(i * size + 4, 0);
        }
        assertThat(nvml.call("nvmlDeviceGetFieldValues", nvml.device(0), ids.size(), batch))
                .isZero();

        for (int i = 0; i < ids.size(); i++) {
            JsonTree captured = fields.object(ids.get(i).toString());
            String name = "field " + ids.get(i);
            assertThat(batch.get("nvmlReturn", i)).as(name).isEqualTo(captured.integer("return"));
            assertThat(batch.get("valueType", i)).as(name).isEqualTo(captured.integer("type"));
            if (!MOVING_FIELDS.contains(ids.get(i))) {
                assertThat(batch.get("value.ullVal", i)).as(name).isEqualTo(captured.integer("bits"));
            }
        }
    }

    @Test
    void whatTheSweepCouldNotAskIsAnsweredFromTheOtherCaptures() {
        long device = nvml.device(0);
        Guarded out = nvml.bytes(4);
        Map<Integer, Integer> thresholds = Map.of(0, 95, 1, 89, 2, 95, 3, 87);
        thresholds.forEach((threshold, celsius) -> {
            assertThat(nvml.call("nvmlDeviceGetTemperatureThreshold", device, threshold, out))
                    .isZero();
            assertThat(out.getInt(0)).isEqualTo(celsius);
        });
        assertThat(nvml.call("nvmlDeviceGetTemperatureThreshold", device, 4, out))
                .isEqualTo(Code.NOT_SUPPORTED);
        assertThat(nvml.call("nvmlDeviceGetTemperatureThreshold", device, 8, out))
                .isEqualTo(Code.INVALID_ARGUMENT);

        Guarded temperature =
                nvml.struct("nvmlTemperature_t").with("version", 12 | 1 << 24).with("sensorType", 0);
        assertThat(nvml.call("nvmlDeviceGetTemperatureV", device, temperature)).isZero();
        assertThat(temperature.get("temperature")).isEqualTo(35);

        assertThat(nvml.call("nvmlDeviceGetMaxClockInfo", device, 1, out)).isZero();
        assertThat(out.getInt(0)).isEqualTo(1980);
        assertThat(nvml.call("nvmlDeviceGetMaxClockInfo", device, 4, out)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlDeviceGetClockInfo", device, 4, out)).isEqualTo(Code.NOT_SUPPORTED);

        Guarded profile = nvml.struct("nvmlGpuInstanceProfileInfo_v2_t").with("version", 152 | 2 << 24);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", device, 2, profile))
                .isZero();
        assertThat(profile.text("name")).isEqualTo("MIG 3g.71gb");
        assertThat(profile.get("memorySizeMB")).isEqualTo(71424);
    }
}
