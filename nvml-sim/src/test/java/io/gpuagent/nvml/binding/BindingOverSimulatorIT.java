// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Fields;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.internal.Scratch;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every getter of the binding, over a simulated H200 that reads as the real one was captured. */
class BindingOverSimulatorIT {
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
    private final CallLog log = new CallLog();
    private final Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();
    private final Gpu gpu = nvml.gpu(0).orThrow();

    @BeforeEach
    void stopTheLoad() {
        driver.freeze();
        log.clear();
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    static List<Getter> getters() {
        return Getter.ALL;
    }

    @ParameterizedTest
    @MethodSource("getters")
    void getterAnswersWhatWasCaptured(Getter getter) {
        assertThat(getter.of(gpu)).isEqualTo(new Answer.Value<>(getter.captured()));
    }

    @ParameterizedTest
    @MethodSource("getters")
    void getterMakesOneCallAndTheObserverSeesIt(Getter getter) {
        assertThat(getter.of(gpu).value()).isPresent();

        assertThat(log.entries()).containsExactly(new CallLog.Entry(getter.function(), 0, 0));
    }

    @ParameterizedTest
    @MethodSource("getters")
    void refusalIsToldWithFunctionAndCode(Getter getter) {
        driver.gpu(0).lose();

        assertThat(getter.of(gpu)).isEqualTo(new Answer.Refused<>(getter.function(), NvmlReturn.GPU_IS_LOST));
    }

    @ParameterizedTest
    @MethodSource("getters")
    void codeNewerThanTheBindingStaysReadable(Getter getter) {
        driver.gpu(0).answer("*", 77);

        assertThat(getter.of(gpu)).hasToString("Refused[function=" + getter.function() + ", code=NVML_ERROR_77]");
    }

    @ParameterizedTest
    @MethodSource("getters")
    void nothingIsWrittenOutsideTheMemoryThatWasLent(Getter getter) {
        byte canary = 0x5A;
        MemorySegment memory = Scratch.fresh().take(4096).fill(canary);

        assertThat(getter.of(gpu).value()).isPresent();

        byte[] after = memory.toArray(ValueLayout.JAVA_BYTE);
        int at = 0;
        for (int bytes : getter.outBytes()) {
            int end = at + bytes;
            at = end + 7 & ~7;
            for (int gap = end; gap < at; gap++) {
                assertThat(after[gap])
                        .as("byte %d, behind %d bytes", gap, bytes)
                        .isEqualTo(canary);
            }
        }
        for (int behind = at; behind < after.length; behind++) {
            assertThat(after[behind]).as("byte %d, behind all", behind).isEqualTo(canary);
        }
    }

    @Test
    void nodeAnswersWhatWasCaptured() {
        assertThat(nvml.driverVersion().orThrow()).isEqualTo("580.159.04");
        assertThat(nvml.nvmlVersion().orThrow()).isEqualTo("13.580.159.04");
        assertThat(nvml.cudaDriverVersion().orThrow()).isEqualTo("13.0");
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(1);
        assertThat(log.entries()).allMatch(entry -> entry.gpu() == -1);
    }

    @Test
    void thereIsNoGpuBehindTheLastOne() {
        assertThat(nvml.gpu(1))
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByIndex_v2, NvmlReturn.INVALID_ARGUMENT));
    }

    @Test
    void fieldsOfOneBatchAreAnsweredOneByOne() {
        int nvlinkSpeed = 164;

        List<Answer<Number>> answers =
                gpu.fields().read(Fields.POWER_INSTANT, nvlinkSpeed, Fields.GET_GPU_RECOVERY_ACTION, 100_000);

        assertThat(answers)
                .containsExactly(
                        new Answer.Value<>(80_205L),
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetFieldValues, NvmlReturn.NOT_SUPPORTED),
                        new Answer.Value<>(0L),
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetFieldValues, NvmlReturn.INVALID_ARGUMENT));
        assertThat(log.entries()).hasSize(1);
    }

    @Test
    void negativeFieldsAreNegative() {
        int slowdownMargin = 194;

        assertThat(gpu.fields().read(slowdownMargin)).containsExactly(new Answer.Value<>(-2));
    }

    @Test
    void gpuInMigModeHasNoUtilizationAndSaysWhy() {
        driver.gpu(0).state().setMig(true, true);

        assertThat(gpu.modes().mig().orThrow().current()).isTrue();
        assertThat(gpu.utilization().rates())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetUtilizationRates, NvmlReturn.NOT_SUPPORTED));
        assertThat(gpu.utilization().decoder())
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetDecoderUtilization, NvmlReturn.NOT_SUPPORTED));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 15, 16, 17, 999})
    void onlyTheGetterThatWasRefusedIsWithoutAValue(int code) {
        driver.gpu(0).answer("nvmlDeviceGetPowerUsage", code);

        assertThat(gpu.power().usage())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetPowerUsage, new NvmlReturn(code)));
        assertThat(gpu.power().energy().value()).isPresent();
    }

    @Test
    void architectureAndModeNewerThanTheBindingKeepTheirNumbers(@TempDir Path folder) throws IOException {
        String card;
        try (InputStream in = SimProfile.class.getResourceAsStream("h200.json")) {
            card = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String newer = card.replace("\"answers\": {", "\"answers\": {\"nvmlDeviceGetArchitecture\": {\"value\": 11},");
        assertThat(newer).isNotEqualTo(card);
        SimulatedDriver next = SimulatedDriver.start(
                SimProfile.parse(
                        Files.writeString(folder.resolve("next.json"), newer).toString()),
                () -> 0);
        next.gpu(0).state().setComputeMode(9);

        Gpu unknown = Nvml.open(next, log, () -> 0).orThrow().gpu(0).orThrow();

        assertThat(unknown.identity().architecture().orThrow()).hasToString("11");
        assertThat(unknown.modes().compute().orThrow()).hasToString("9");
    }

    @Test
    void gpusOfANodeAreToldApart() {
        SimulatedDriver node = SimulatedDriver.start(SimProfile.parse("h200x4"), () -> 0);
        Nvml session = Nvml.open(node, log, () -> 0).orThrow();
        log.clear();
        List<String> uuids = new ArrayList<>();
        for (int i = 0; i < session.gpuCount().orThrow(); i++) {
            uuids.add(session.gpu(i).orThrow().identity().uuid().orThrow());
        }

        assertThat(uuids).hasSize(4).doesNotHaveDuplicates().allMatch(uuid -> uuid.matches("GPU-[0-9a-f-]{36}"));
        assertThat(log.entries())
                .filteredOn(entry -> entry.function() == NvmlFunction.nvmlDeviceGetUUID)
                .extracting(CallLog.Entry::gpu)
                .containsExactly(0, 1, 2, 3);
    }
}
