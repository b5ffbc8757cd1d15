// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.ClockControl;
import io.gpuagent.nvml.Clocks;
import io.gpuagent.nvml.ComputeMode;
import io.gpuagent.nvml.Done;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Mode;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.Thermal;
import io.gpuagent.nvml.sim.Privilege;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What an operator sets is what the getters read; only root may, and only a session that was opened for it. */
class SettingsIT {
    /** A setter, and how what it has done is read. */
    record Setting(
            NvmlFunction function, Function<Gpu, Answer<Done>> change, Function<Gpu, Object> read, Object expected) {
        @Override
        public String toString() {
            return function + " " + expected;
        }
    }

    private static Setting of(
            NvmlFunction function, Function<Gpu, Answer<Done>> change, Function<Gpu, Object> read, Object expected) {
        return new Setting(function, change, read, expected);
    }

    private static final List<Setting> SETTINGS = List.of(
            of(
                    NvmlFunction.nvmlDeviceSetComputeMode,
                    gpu -> gpu.control().computeMode(ComputeMode.EXCLUSIVE_PROCESS),
                    gpu -> gpu.modes().compute().orThrow().known(),
                    Optional.of(ComputeMode.EXCLUSIVE_PROCESS)),
            of(
                    NvmlFunction.nvmlDeviceSetComputeMode,
                    gpu -> gpu.control().computeMode(ComputeMode.PROHIBITED),
                    gpu -> gpu.modes().compute().orThrow().known(),
                    Optional.of(ComputeMode.PROHIBITED)),
            of(
                    NvmlFunction.nvmlDeviceSetPersistenceMode,
                    gpu -> gpu.control().persistence(false),
                    gpu -> gpu.modes().persistence().orThrow(),
                    false),
            of(
                    NvmlFunction.nvmlDeviceSetAccountingMode,
                    gpu -> gpu.control().accounting(true),
                    gpu -> gpu.accounting().isEnabled().orThrow(),
                    true),
            of(
                    NvmlFunction.nvmlDeviceSetEccMode,
                    gpu -> gpu.control().ecc(false),
                    gpu -> gpu.ecc().mode().orThrow(),
                    new Mode(true, false)),
            of(
                    NvmlFunction.nvmlDeviceSetPowerManagementLimit_v2,
                    gpu -> gpu.control().power().limit(350_000),
                    gpu -> List.of(
                            gpu.power().requestedLimit().orThrow(),
                            gpu.power().enforcedLimit().orThrow(),
                            gpu.power().defaultLimit().orThrow()),
                    List.of(350_000L, 350_000L, 700_000L)),
            of(
                    NvmlFunction.nvmlDeviceSetGpuLockedClocks,
                    gpu -> gpu.control().clocks().lockGraphics(1_200, 1_500),
                    gpu -> gpu.clocks().current(Clocks.Domain.GRAPHICS).orThrow(),
                    1_500L),
            of(
                    NvmlFunction.nvmlDeviceSetMemoryLockedClocks,
                    gpu -> gpu.control().clocks().lockMemory(2_000, 3_000),
                    gpu -> gpu.clocks().current(Clocks.Domain.MEMORY).orThrow(),
                    2_201L),
            of(
                    NvmlFunction.nvmlDeviceSetApplicationsClocks,
                    gpu -> gpu.control().clocks().applications(2_201, 1_000),
                    gpu -> List.of(
                            gpu.clocks().application(Clocks.Domain.MEMORY).orThrow(),
                            gpu.clocks().application(Clocks.Domain.GRAPHICS).orThrow(),
                            gpu.clocks().current(Clocks.Domain.GRAPHICS).orThrow()),
                    List.of(2_201L, 1_000L, 1_000L)));

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
    private final CallLog log = new CallLog();
    private final Nvml nvml = open(Access.CONTROL);
    private final Gpu gpu = nvml.gpu(0).orThrow();

    private Nvml open(Access access) {
        return Nvml.open(driver, log, () -> 0, access).orThrow();
    }

    private static <T> Answer<T> refused(NvmlFunction function, NvmlReturn code) {
        return new Answer.Refused<>(function, code);
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("SETTINGS")
    void whatIsAcceptedIsReadBackOnThatGpuAlone(Setting setting) {
        // At full work, so that the clocks would be higher by themselves.
        driver.gpu(0).setUtilization(90, 50);
        driver.gpu(1).setUtilization(90, 50);
        Gpu other = nvml.gpu(1).orThrow();
        Object before = setting.read().apply(other);

        assertThat(setting.change().apply(gpu)).isEqualTo(new Answer.Value<>(Done.DONE));

        assertThat(setting.read().apply(gpu)).isEqualTo(setting.expected());
        assertThat(setting.read().apply(other)).isEqualTo(before).isNotEqualTo(setting.expected());
    }

    @ParameterizedTest
    @FieldSource("SETTINGS")
    void whoIsNotRootChangesNothing(Setting setting) {
        Object before = setting.read().apply(gpu);
        driver.grant(Set.of(Privilege.MIG_CONFIG, Privilege.MIG_MONITOR));

        assertThat(setting.change().apply(gpu)).isEqualTo(refused(setting.function(), NvmlReturn.NO_PERMISSION));

        assertThat(setting.read().apply(gpu)).isEqualTo(before);
    }

    @ParameterizedTest
    @FieldSource("SETTINGS")
    void readOnlySessionRefusesBeforeTheLibraryIsReached(Setting setting) {
        Nvml reading = open(Access.READ_ONLY);
        Gpu read = reading.gpu(0).orThrow();

        assertThat(setting.change().apply(read)).isEqualTo(refused(setting.function(), NvmlReturn.NO_PERMISSION));

        assertThat(driver.calls().byFunction())
                .doesNotContainKey(setting.function().name());
        reading.close();
    }

    @Test
    void loadOfTheDriverForgetsAllButTheEccModeThatWaitedForIt() {
        SETTINGS.forEach(setting -> setting.change().apply(gpu).orThrow());
        nvml.close();
        driver.life().load();

        Nvml after = open(Access.CONTROL);
        Gpu fresh = after.gpu(0).orThrow();
        assertThat(fresh.ecc().mode().orThrow()).isEqualTo(new Mode(false, false));
        assertThat(fresh.ecc().total(Ecc.ErrorType.CORRECTED, Ecc.Counter.VOLATILE))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetTotalEccErrors, NvmlReturn.NOT_SUPPORTED));
        assertThat(fresh.modes().compute().orThrow().known()).contains(ComputeMode.DEFAULT);
        assertThat(fresh.accounting().isEnabled().orThrow()).isFalse();
        assertThat(fresh.power().requestedLimit().orThrow()).isEqualTo(700_000);
        assertThat(fresh.clocks().current(Clocks.Domain.GRAPHICS).orThrow()).isEqualTo(345);
        assertThat(fresh.clocks().application(Clocks.Domain.GRAPHICS).orThrow()).isEqualTo(1_980);
        after.close();
    }

    @Test
    void locksAndApplicationClocksAreTakenBack() {
        driver.gpu(0).setUtilization(90, 50);
        ClockControl clocks = gpu.control().clocks();
        clocks.lockGraphics(300, 600).orThrow();
        clocks.lockMemory(2_201, 2_201).orThrow();
        clocks.applications(2_201, 500).orThrow();
        assertThat(gpu.clocks().current(Clocks.Domain.GRAPHICS).orThrow()).isEqualTo(500);

        clocks.resetApplications().orThrow();
        assertThat(gpu.clocks().current(Clocks.Domain.GRAPHICS).orThrow()).isEqualTo(600);
        clocks.unlockGraphics().orThrow();
        clocks.unlockMemory().orThrow();

        assertThat(gpu.clocks().current(Clocks.Domain.GRAPHICS).orThrow()).isEqualTo(1_980);
        assertThat(gpu.clocks().current(Clocks.Domain.MEMORY).orThrow()).isEqualTo(3_201);
    }

    @Test
    void whatTheCardCannotDoIsAnInvalidArgument() {
        NvmlFunction limit = NvmlFunction.nvmlDeviceSetPowerManagementLimit_v2;
        assertThat(gpu.control().power().limit(199_999)).isEqualTo(refused(limit, NvmlReturn.INVALID_ARGUMENT));
        assertThat(gpu.control().power().limit(700_001)).isEqualTo(refused(limit, NvmlReturn.INVALID_ARGUMENT));
        assertThat(gpu.control().power().limit(200_000)).isEqualTo(new Answer.Value<>(Done.DONE));
        assertThat(gpu.control().clocks().lockGraphics(1_500, 1_200))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetGpuLockedClocks, NvmlReturn.INVALID_ARGUMENT));
        assertThat(gpu.control().clocks().lockGraphics(2_500, 2_600))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetGpuLockedClocks, NvmlReturn.INVALID_ARGUMENT));
        assertThat(gpu.control().clocks().lockMemory(2_300, 2_400))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetMemoryLockedClocks, NvmlReturn.INVALID_ARGUMENT));
        assertThat(gpu.control().clocks().applications(3_000, 1_000))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetApplicationsClocks, NvmlReturn.INVALID_ARGUMENT));
    }

    @Test
    void powerStaysWithinItsLimitAndTheFieldsAgree() {
        driver.gpu(0).setUtilization(100, 60);
        assertThat(gpu.power().usage().orThrow()).isGreaterThan(600_000);

        gpu.control().power().limit(300_000).orThrow();

        assertThat(gpu.power().usage().orThrow()).isEqualTo(300_000);
        // NVML_FI_DEV_POWER_REQUESTED_LIMIT
        assertThat(gpu.fields().read(192).getFirst().orThrow().longValue()).isEqualTo(300_000);
    }

    @Test
    void gpuInMigModeIsNeitherExclusiveNorAccountedFor() {
        gpu.control().computeMode(ComputeMode.EXCLUSIVE_PROCESS).orThrow();
        gpu.control().accounting(true).orThrow();
        assertThat(gpu.mig().setMode(true).orThrow()).isEqualTo(NvmlReturn.SUCCESS);

        assertThat(gpu.modes().compute().orThrow().known()).contains(ComputeMode.DEFAULT);
        assertThat(gpu.accounting().isEnabled().orThrow()).isFalse();
        assertThat(gpu.control().computeMode(ComputeMode.EXCLUSIVE_PROCESS))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetComputeMode, NvmlReturn.NOT_SUPPORTED));
        assertThat(gpu.control().accounting(true))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetAccountingMode, NvmlReturn.NOT_SUPPORTED));
    }

    @Test
    void eccErrorsAreClearedByTheirCounter() {
        driver.gpu(0).state().addCorrectedErrors(3);
        driver.gpu(0).state().addUncorrectedErrors(1);

        gpu.control().clearEccErrors(Ecc.Counter.VOLATILE).orThrow();

        assertThat(gpu.ecc()
                        .total(Ecc.ErrorType.CORRECTED, Ecc.Counter.VOLATILE)
                        .orThrow())
                .isZero();
        assertThat(gpu.ecc()
                        .total(Ecc.ErrorType.CORRECTED, Ecc.Counter.AGGREGATE)
                        .orThrow())
                .isEqualTo(3);
        gpu.control().clearEccErrors(Ecc.Counter.AGGREGATE).orThrow();
        assertThat(gpu.ecc()
                        .total(Ecc.ErrorType.UNCORRECTED, Ecc.Counter.AGGREGATE)
                        .orThrow())
                .isZero();
    }

    @Test
    void cardWithoutFansRefusesTheirSettings() {
        assertThat(gpu.control().cooling().fanSpeed(0, 50))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetFanSpeed_v2, NvmlReturn.NOT_SUPPORTED));
        assertThat(gpu.control().cooling().acousticThreshold(80))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetTemperatureThreshold, NvmlReturn.NOT_SUPPORTED));
    }

    @Test
    void fansAndTheTemperatureTheyKeepAreSetWhereTheCardHasThem(@TempDir Path folder) throws IOException {
        Path card = folder.resolve("fans.json");
        Files.writeString(card, """
                {"name": "fans", "about": "made up", "based-on": "h200", "missing": [],
                 "driver": {"version": "580.159.04", "nvml": "13.580.159.04", "cuda": 13000},
                 "hardware": {"pci-domain": 0, "pci-bus": 1, "pci-device": 0, "memory-total": 17179869184,
                              "memory-reserved": 400000000, "power-limit-mw": 300000, "temperature-max": 87},
                 "idle": {"power-mw": 20000, "temperature": 35, "memory-temperature": 39, "graphics-mhz": 300,
                          "memory-mhz": 405, "video-mhz": 300, "energy-mj": 0},
                 "busy": {"power-mw": 290000, "temperature": 74, "memory-temperature": 84, "graphics-mhz": 1980,
                          "memory-mhz": 3201, "video-mhz": 1545},
                 "fields": [],
                 "answers": {
                   "nvmlDeviceGetNumFans": {"value": 2},
                   "nvmlDeviceGetMinMaxFanSpeed": {"values": [30, 100]},
                   "nvmlDeviceGetFanSpeed_v2": {"cases": {"0": {"value": 41}, "1": {"value": 42}}, "otherwise": {"error": 2}},
                   "nvmlDeviceGetTargetFanSpeed": {"cases": {"0": {"value": 41}, "1": {"value": 42}}, "otherwise": {"error": 2}},
                   "nvmlDeviceGetTemperatureThreshold": {"cases": {"4": {"value": 60}, "5": {"value": 83}, "6": {"value": 90}},
                                                         "otherwise": {"error": 3}}}}
                """);
        SimulatedDriver withFans = SimulatedDriver.start(SimProfile.parse(card.toString()), () -> 0);
        Nvml session = Nvml.open(withFans, log, () -> 0, Access.CONTROL).orThrow();
        Gpu cooled = session.gpu(0).orThrow();
        cooled.control().cooling().fanSpeed(1, 80).orThrow();
        cooled.control().cooling().acousticThreshold(75).orThrow();

        assertThat(cooled.fans().speed(0).orThrow()).isEqualTo(41);
        assertThat(cooled.fans().speed(1).orThrow()).isEqualTo(80);
        assertThat(cooled.fans().targetSpeed(1).orThrow()).isEqualTo(80);
        assertThat(cooled.fans().policy(0).orThrow().code()).isZero();
        assertThat(cooled.fans().policy(1).orThrow().code()).isEqualTo(1);
        assertThat(cooled.thermal().threshold(Thermal.Threshold.ACOUSTIC).orThrow())
                .isEqualTo(75);
        assertThat(cooled.control().cooling().fanSpeed(1, 29))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetFanSpeed_v2, NvmlReturn.INVALID_ARGUMENT));
        assertThat(cooled.control().cooling().fanSpeed(2, 50))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetFanSpeed_v2, NvmlReturn.INVALID_ARGUMENT));
        assertThat(cooled.control().cooling().acousticThreshold(91))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceSetTemperatureThreshold, NvmlReturn.INVALID_ARGUMENT));

        cooled.control().cooling().automaticFanSpeed(1).orThrow();
        assertThat(cooled.fans().speed(1).orThrow()).isEqualTo(42);
        session.close();
    }
}
