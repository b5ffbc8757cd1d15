// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ComputeModes.Mode;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmlComputeModesIT {
    private static final String SETTER = "nvmlDeviceSetComputeMode";

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
    private final String gpu = driver.gpu(1).uuid();
    private final NvmlComputeModes modes = new NvmlComputeModes(() -> driver, new ManualClock());

    @AfterEach
    void noSessionIsLeftOpen() {
        assertThat(driver.sessions()).isZero();
        assertThat(driver.calls().failures()).isEmpty();
    }

    private long setterCalls() {
        return driver.calls().byFunction().getOrDefault(SETTER, 0L);
    }

    @Test
    void theModeOfTheNamedGpuIsRead() throws Exception {
        driver.gpu(1).state().setComputeMode(3);

        assertThat(modes.read(gpu)).isEqualTo(Mode.EXCLUSIVE_PROCESS);
        assertThat(modes.read(driver.gpu(0).uuid())).isEqualTo(Mode.DEFAULT);
    }

    @Test
    void aModeIsSetAndReadBackOnTheNamedGpuAlone() throws Exception {
        modes.set(gpu, Mode.EXCLUSIVE_PROCESS);

        assertThat(modes.read(gpu)).isEqualTo(Mode.EXCLUSIVE_PROCESS);
        assertThat(modes.read(driver.gpu(0).uuid())).isEqualTo(Mode.DEFAULT);

        modes.set(gpu, Mode.DEFAULT);

        assertThat(modes.read(gpu)).isEqualTo(Mode.DEFAULT);
    }

    @Test
    void aGpuInMigModeHasNoOther() {
        driver.gpu(1).state().setMig(true, true);

        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> modes.set(gpu, Mode.EXCLUSIVE_PROCESS))
                .withMessageEndingWith("in MIG mode it is always the default, and some cards have no other")
                .extracting(ChangeRefused::kind)
                .isEqualTo(ChangeRefused.Kind.NOT_SUPPORTED);
    }

    @Test
    void aModeThatIsInForceIsNotSetAgain() throws Exception {
        driver.gpu(1).state().setComputeMode(2);

        modes.set(gpu, Mode.PROHIBITED);

        assertThat(setterCalls()).isZero();
    }

    @Test
    void aModeThatWasAcceptedAndIsNotInForceIsAFailure() {
        driver.answer(SETTER, NvmlReturn.SUCCESS.code());

        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> modes.set(gpu, Mode.EXCLUSIVE_PROCESS))
                .withMessage("the driver took compute mode exclusive-process for GPU " + gpu
                        + " and default is in force; look at the GPU with nvidia-smi -q -d COMPUTE")
                .extracting(ChangeRefused::kind)
                .isEqualTo(ChangeRefused.Kind.FAILED);
        assertThat(setterCalls()).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3  | NOT_SUPPORTED | in MIG mode it is always the default, and some cards have no other",
                "4  | NOT_ALLOWED   | only root may change a compute mode",
                "15 | FAILED        | look at the kernel's log and nvidia-smi"
            })
    void aRefusalOfTheDriversIsToldApart(int code, ChangeRefused.Kind kind, String right) {
        driver.answer(SETTER, code);

        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> modes.set(gpu, Mode.EXCLUSIVE_PROCESS))
                .withMessageStartingWith("the compute mode cannot be set to exclusive-process of GPU " + gpu)
                .withMessageEndingWith(right)
                .extracting(ChangeRefused::kind)
                .isEqualTo(kind);
    }

    @Test
    void aModeThatCannotBeReadBackIsHalfDone() {
        driver.answer(SETTER, NvmlReturn.SUCCESS.code());
        // The first read is the one before the change.
        NvmlComputeModes lostMeanwhile = new NvmlComputeModes(
                () -> symbol -> {
                    if (symbol.equals(SETTER)) {
                        driver.answer("nvmlDeviceGetComputeMode", NvmlReturn.GPU_IS_LOST.code());
                    }
                    return driver.address(symbol);
                },
                new ManualClock());

        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> lostMeanwhile.set(gpu, Mode.EXCLUSIVE_PROCESS))
                .withMessageStartingWith("the compute mode was set to exclusive-process and cannot be read back")
                .extracting(ChangeRefused::kind)
                .isEqualTo(ChangeRefused.Kind.HALF_DONE);
    }

    @Test
    void aGpuThatIsNotThereIsNotFound() {
        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> modes.read("GPU-00000000-0000-0000-0000-000000000000"))
                .withMessageEndingWith("; gpu-agent status lists the UUIDs")
                .extracting(ChangeRefused::kind)
                .isEqualTo(ChangeRefused.Kind.NOT_FOUND);
    }

    @Test
    void aMachineWithoutADriverSaysSo() {
        NvmlComputeModes none = new NvmlComputeModes(
                () -> NvmlLibrary.open(Optional.of(Path.of("/nonexistent/libnvidia-ml.so.1"))), new ManualClock());

        assertThatExceptionOfType(ChangeRefused.class)
                .isThrownBy(() -> none.read(gpu))
                .withMessageStartingWith("there is no NVML library, without which no compute mode is known: could not"
                        + " load /nonexistent/libnvidia-ml.so.1")
                .extracting(ChangeRefused::kind)
                .isEqualTo(ChangeRefused.Kind.NOT_SUPPORTED);
    }
}
