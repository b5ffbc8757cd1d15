// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Fields;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Memory;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.ProcessInfo;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Drivers that lack what came later: the older function is taken, the observer tells which, nothing else is lost. */
class OlderDriversIT {
    private static final long TOTAL = 150_754_820_096L;
    private static final long FREE = 150_109_880_320L;
    private static final long RESERVED = 644_939_776;

    private final CallLog log = new CallLog();
    private SimulatedDriver driver;

    private Gpu gpuOf(String profile, String... removed) {
        driver = SimulatedDriver.start(SimProfile.parse(profile), () -> 0);
        driver.freeze();
        for (String symbol : removed) {
            driver.remove(symbol);
        }
        Gpu gpu = Nvml.open(driver, log, () -> 0).orThrow().gpu(0).orThrow();
        log.clear();
        return gpu;
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void r535KnowsMemoryInfoV2() {
        Gpu gpu = gpuOf("h200@535");

        assertThat(gpu.memory().use().orThrow()).isEqualTo(new Memory.Use(TOTAL, FREE, 0, OptionalLong.of(RESERVED)));
        assertThat(log.functions()).containsExactly(NvmlFunction.nvmlDeviceGetMemoryInfo_v2);
    }

    @Test
    void r470CountsReservedMemoryAsUsedAndDoesNotTellIt() {
        Gpu gpu = gpuOf("h200@470");

        assertThat(gpu.memory().use().orThrow()).isEqualTo(new Memory.Use(TOTAL, FREE, RESERVED, OptionalLong.empty()));
        assertThat(log.functions()).containsExactly(NvmlFunction.nvmlDeviceGetMemoryInfo);
    }

    @Test
    void structThatTheDriverDoesNotTakeIsFollowedByTheOlder() {
        Gpu gpu = gpuOf("h200");
        driver.gpu(0).answer("nvmlDeviceGetMemoryInfo_v2", NvmlReturn.ARGUMENT_VERSION_MISMATCH.code());

        assertThat(gpu.memory().use().orThrow().reserved()).isEmpty();
        assertThat(log.entries())
                .containsExactly(
                        new CallLog.Entry(NvmlFunction.nvmlDeviceGetMemoryInfo_v2, 0, 25),
                        new CallLog.Entry(NvmlFunction.nvmlDeviceGetMemoryInfo, 0, 0));
    }

    @Test
    void temperatureComesFromTheFunctionThatIsThere() {
        assertThat(gpuOf("h200@535").thermal().gpu().orThrow()).isEqualTo(41);
        assertThat(log.functions()).containsExactly(NvmlFunction.nvmlDeviceGetTemperature);
    }

    @Test
    void clockReasonsComeUnderTheirOldName() {
        Gpu gpu = gpuOf("h200@470");

        assertThat(gpu.clocks().eventReasons().orThrow()).isEqualTo(1);
        assertThat(gpu.clocks().supportedEventReasons().orThrow()).isEqualTo(511);
        assertThat(driver.calls().of("nvmlDeviceGetCurrentClocksThrottleReasons"))
                .isEqualTo(1);
        assertThat(driver.calls().of("nvmlDeviceGetSupportedClocksThrottleReasons"))
                .isEqualTo(1);
    }

    @Test
    void functionsThatCameLaterAreMissingAndNothingElseIs() {
        Gpu gpu = gpuOf("h200@535");

        assertThat(gpu.utilization().jpeg())
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetJpgUtilization, NvmlReturn.FUNCTION_NOT_FOUND));
        assertThat(gpu.utilization().rates().value()).isPresent();
        assertThat(log.functions()).containsExactly(NvmlFunction.nvmlDeviceGetUtilizationRates);
    }

    @Test
    void fieldsThatCameLaterAreRefusedOneByOne() {
        List<Answer<Number>> answers =
                gpuOf("h200@535").fields().read(Fields.POWER_INSTANT, Fields.GET_GPU_RECOVERY_ACTION);

        assertThat(answers)
                .containsExactly(
                        new Answer.Value<>(80_205L),
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetFieldValues, NvmlReturn.INVALID_ARGUMENT));
    }

    @Test
    void everyCapturedGetterOfAnOldDriverAnswersTheSameOrIsMissing() {
        Gpu gpu = gpuOf("h200@470");
        for (Getter getter : Getter.ALL) {
            Answer<?> answer = getter.of(gpu);
            if (getter.name().equals("memory.use")) {
                continue;
            }
            assertThat(answer)
                    .as(getter.name())
                    .isIn(
                            new Answer.Value<>(getter.captured()),
                            new Answer.Refused<>(getter.function(), NvmlReturn.FUNCTION_NOT_FOUND));
        }
    }

    @Test
    void processListsComeInTheNewestVersionThatIsThere() {
        assertListed(gpuOf("h200"), NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3);
        assertListed(
                gpuOf("h200", "nvmlDeviceGetComputeRunningProcesses_v3"),
                NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v2);
        assertListed(gpuOf("h200@470"), NvmlFunction.nvmlDeviceGetComputeRunningProcesses);
    }

    private void assertListed(Gpu gpu, NvmlFunction by) {
        driver.gpu(0)
                .setProcesses(List.of(
                        new SimulatedProcess(5_000_001, SimulatedProcess.Kind.COMPUTE, 1L << 30),
                        new SimulatedProcess(5_000_002, SimulatedProcess.Kind.COMPUTE, 2L << 30),
                        new SimulatedProcess(5_000_003, SimulatedProcess.Kind.GRAPHICS, 3L << 30)));

        assertThat(gpu.processes().compute().orThrow())
                .containsExactly(
                        new ProcessInfo(5_000_001, OptionalLong.of(1L << 30), OptionalInt.empty(), OptionalInt.empty()),
                        new ProcessInfo(
                                5_000_002, OptionalLong.of(2L << 30), OptionalInt.empty(), OptionalInt.empty()));
        assertThat(log.functions()).containsExactly(by);
    }

    @Test
    void graphicsAndMpsListsAreFollowedDownToo() {
        Gpu gpu = gpuOf("h200@470");
        driver.gpu(0)
                .setProcesses(List.of(
                        new SimulatedProcess(5_000_001, SimulatedProcess.Kind.GRAPHICS, 1L << 30),
                        new SimulatedProcess(5_000_002, SimulatedProcess.Kind.MPS, 2L << 30)));

        assertThat(gpu.processes().graphics().orThrow())
                .extracting(ProcessInfo::pid)
                .containsExactly(5_000_001);
        assertThat(gpu.processes().mps().orThrow()).extracting(ProcessInfo::pid).containsExactly(5_000_002);
        assertThat(log.functions())
                .containsExactly(
                        NvmlFunction.nvmlDeviceGetGraphicsRunningProcesses,
                        NvmlFunction.nvmlDeviceGetMPSComputeRunningProcesses);
    }

    @Test
    void sessionOpensOnALibraryWithTheFirstNamesOnly() {
        driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
        for (String symbol : new String[] {
            "nvmlInit_v2", "nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlSystemGetCudaDriverVersion_v2"
        }) {
            driver.remove(symbol);
        }

        Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();

        assertThat(nvml.gpuCount().orThrow()).isEqualTo(2);
        assertThat(nvml.gpu(1).orThrow().identity().uuid().orThrow())
                .isEqualTo(driver.gpu(1).uuid());
        assertThat(nvml.cudaDriverVersion().orThrow()).isEqualTo("13.0");
    }
}
