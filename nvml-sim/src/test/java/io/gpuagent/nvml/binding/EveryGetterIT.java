// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Effect;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every getter that a session and a GPU offer, called once: a value or a reason comes back, and nothing is changed. */
class EveryGetterIT {
    private final CallLog log = new CallLog();

    @ParameterizedTest
    @ValueSource(strings = {"h200", "h200@535", "h200@470"})
    void answersWithAValueOrAReason(String profile) {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse(profile), () -> 0);
        Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();

        Map<String, Object> answers = Getters.callAll("gpu", gpu(nvml));
        answers.putAll(Getters.callAll("nvml", nvml));

        assertThat(answers).hasSizeGreaterThan(200);
        assertThat(driver.calls().failures()).isEmpty();
        assertThat(log.functions()).allMatch(function -> function.effect() == Effect.READS);
        assertThat(nvml.close()).isTrue();
    }

    @Test
    void changesAreRefusedBeforeTheyReachTheLibrary() {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
        Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();

        Map<String, Object> answers = Getters.callAll("gpu", gpu(nvml));

        assertThat(answers.values())
                .filteredOn(answer -> answer instanceof Answer.Refused<?> refused
                        && refused.function().effect() == Effect.CHANGES)
                .isNotEmpty()
                .allSatisfy(answer ->
                        assertThat(((Answer.Refused<?>) answer).code()).isEqualTo(NvmlReturn.NO_PERMISSION));
    }

    /** The walk is only worth something if it comes by most of what is bound. */
    @Test
    void mostFunctionsAreCalled() {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
        Nvml nvml = Nvml.open(driver, log, () -> 0).orThrow();
        Getters.callAll("gpu", gpu(nvml));
        Getters.callAll("nvml", nvml);

        Set<NvmlFunction> called = log.functions().stream().collect(Collectors.toSet());
        Set<String> missed = new TreeSet<>();
        for (NvmlFunction function : NvmlFunction.values()) {
            if (function.effect() == Effect.READS
                    && function.name().startsWith("nvmlDeviceGet")
                    && !called.contains(function)) {
                missed.add(function.name());
            }
        }

        // What is left needs a string, another GPU, an instance or an older driver, and has tests of its own.
        assertThat(missed).hasSizeLessThan(60);
    }

    private static Gpu gpu(Nvml nvml) {
        return nvml.gpu(0).orThrow();
    }
}
