// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

/** What a scenario does to the machine itself. */
class MachineStepsTest {
    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x3"), time);

    private void play(String yaml) {
        driver.play(Scenario.parse("machine.yaml", yaml, 3));
    }

    private void atSecond(long second) {
        time.advanceSeconds(second - time.getAsLong() / 1_000_000_000L);
        driver.advance();
    }

    @Test
    void driverGoesAndComesBackNewerAndWithOtherGpus() {
        play("""
                - {at: 10s, do: driver-install, version: 535}
                - {at: 20s, do: driver-unload}
                - {at: 30s, do: driver-load, finds: 2 0}
                - {at: 40s, do: driver-install, version: original}
                - {at: 50s, do: reboot}
                """);
        String boot = driver.life().bootId();
        atSecond(10);
        assertThat(driver.life().installed()).isEqualTo("535");
        assertThat(driver.life().loaded()).isEmpty();
        atSecond(20);
        assertThat(driver.life().isLoaded()).isFalse();
        atSecond(30);
        assertThat(driver.life().loaded()).isEqualTo("535");
        assertThat(driver.machine().numbered()).containsExactly(driver.gpu(2), driver.gpu(0));
        assertThat(driver.life().bootId()).isEqualTo(boot);
        atSecond(50);
        assertThat(driver.life().loaded()).isEmpty();
        assertThat(driver.life().bootId()).isNotEqualTo(boot);
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void gpusAndProcessesComeAndGo() {
        play("""
                - {at: 10s, gpu: 0, do: process-start, pid: 5900000, type: mps-server, memory: 66}
                - {at: 10s, gpu: 0, do: process-start, pid: 5900001, memory: 1024}
                - {at: 20s, gpu: 0, do: process-stop, pid: 5900000}
                - {at: 20s, gpu: 1, do: gpu-remove}
                - {at: 30s, gpu: 1, do: gpu-return}
                """);
        atSecond(10);
        assertThat(driver.gpu(0).sensors().processes())
                .containsExactly(
                        new SimulatedProcess(5_900_000, SimulatedProcess.Kind.MPS_SERVER, 66L << 20),
                        new SimulatedProcess(5_900_001, SimulatedProcess.Kind.COMPUTE, 1024L << 20));
        assertThat(driver.gpu(0).sensors().memoryUsed()).isEqualTo(1090L << 20);
        atSecond(20);
        assertThat(driver.gpu(0).sensors().memoryUsed()).isEqualTo(1024L << 20);
        assertThat(driver.machine().numbered()).containsExactly(driver.gpu(0), driver.gpu(2));
        atSecond(30);
        assertThat(driver.machine().numbered()).hasSize(3);
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void mistakesAreToldWithTheirPlaces() {
        ScenarioException told = catchThrowableOfType(ScenarioException.class, () -> play("""
                - {at: 1s, do: driver-install, version: 999}
                - {at: 1s, do: driver-install}
                - {at: 1s, do: driver-load, finds: 0 3}
                - {at: 1s, do: driver-load, finds: 1 1}
                - {at: 1s, do: gpu-remove}
                - {at: 1s, gpu: 0, do: process-start, type: game}
                """));

        assertThat(told.getMessage().lines())
                .containsExactly(
                        "machine.yaml:1:41: there is no simulated driver 999; known are 470, 535.43, 535.98, 535, and"
                                + " original for the one of the card",
                        "machine.yaml:2:16: version is missing; known are 470, 535.43, 535.98, 535, and original for the"
                                + " one of the card",
                        "machine.yaml:3:36: 0 3 is not a list such as \"1 0\": each GPU once at most, from 0 to 2",
                        "machine.yaml:4:36: 1 1 is not a list such as \"1 0\": each GPU once at most, from 0 to 2",
                        "machine.yaml:5:16: do: gpu-remove needs a gpu",
                        "machine.yaml:6:45: game is none of compute, graphics, mps, mps-server",
                        "machine.yaml:6:24: pid is missing");
    }
}
