// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.sim.Faults;
import io.gpuagent.nvml.sim.Garbage;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import io.gpuagent.nvml.sim.Turns;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A driver that succeeds and answers nonsense: the binding gives a value or a reason, and never fails itself. */
class GarbledAnswersIT {
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
    private final CallLog log = new CallLog();
    private final Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();
    private final Gpu gpu = nvml.gpu(1).orThrow();

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    static List<Garbage> kinds() {
        return List.of(Garbage.ONES, Garbage.RANDOM, Garbage.COUNTS, Garbage.value(200_000), Garbage.value(-1));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyGetterAnswersWithAValueOrAReason(Garbage kind) {
        driver.gpu(1)
                .setProcesses(IntStream.range(0, 3)
                        .mapToObj(i -> new SimulatedProcess(6_000_001 + i, SimulatedProcess.Kind.COMPUTE, 1L << 30))
                        .toList());
        driver.faults().garble(Faults.ALL, kind, Turns.ALL);

        Map<String, Object> answers = Getters.callAll("gpu", gpu);
        answers.putAll(Getters.callAll("nvml", nvml));

        assertThat(answers).hasSizeGreaterThan(200);
        assertThat(answers.values()).allMatch(Answer.class::isInstance);
    }

    // go-nvml #11 and #51, nvml-wrapper #56: lists whose length is not what the driver says.
    @Test
    void aListThatSaysMoreThanThereIsRoomForIsCutToTheRoomOrRefused() {
        driver.gpu(1).setProcesses(List.of(new SimulatedProcess(6_000_001, SimulatedProcess.Kind.COMPUTE, 1L << 30)));
        driver.faults().garble("nvmlDeviceGetComputeRunningProcesses_v3", Garbage.COUNTS, Turns.ALL);

        Answer<?> processes = gpu.processes().compute();

        assertThat(processes).isInstanceOfAny(Answer.Refused.class, Answer.Unavailable.class);
    }

    // gpu-monitoring-tools #97: blank values that were exported as figures.
    @Test
    void allOnesIsNoReadingWhateverItsWidth() {
        driver.faults().garble(Faults.ALL, Garbage.ONES, Turns.ALL);

        assertThat(gpu.power().usage()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetPowerUsage));
        assertThat(gpu.power().energy())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetTotalEnergyConsumption));
        assertThat(gpu.memory().use().value()).isEmpty();
        assertThat(gpu.modes().mig().value()).isEmpty();
    }
}
