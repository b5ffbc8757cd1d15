// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.sim.Abi;
import io.gpuagent.nvml.sim.Faults;
import io.gpuagent.nvml.sim.Garbage;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.Turns;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Libraries that lack much, or answer nonsense: what is left is on the page, and nothing else. */
class LackingDriverIT {
    /** What the agent can do without, and other monitors have ended over (nvidia_gpu_exporter #476). */
    private static final List<String> OPTIONAL = List.of(
            "nvmlDeviceGetDecoderUtilization",
            "nvmlDeviceGetEncoderUtilization",
            "nvmlDeviceGetJpgUtilization",
            "nvmlDeviceGetOfaUtilization",
            "nvmlDeviceGetMaxClockInfo",
            "nvmlDeviceGetPerformanceState",
            "nvmlDeviceGetPersistenceMode",
            "nvmlDeviceGetRemappedRows",
            "nvmlDeviceGetTotalEnergyConsumption",
            "nvmlDeviceGetSupportedClocksEventReasons",
            "nvmlDeviceGetCurrentClocksEventReasons",
            "nvmlDeviceGetBoardPartNumber",
            "nvmlDeviceGetVbiosVersion",
            "nvmlDeviceGetTemperatureThreshold");

    private static SimulatedDriver driver() {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), SystemClock.INSTANCE::nanos);
        driver.freeze();
        return driver;
    }

    private static Set<String> series(SimulatedDriver driver) throws Exception {
        String page = OnePoll.page(OnePoll.take(
                AgentConfig.DEFAULT,
                NvmlAccess.of(NvmlSource.lasting(driver, "a simulation"), driver),
                SystemClock.INSTANCE,
                true));
        assertThat(driver.calls().failures()).isEmpty();
        return page.lines()
                .filter(line -> line.startsWith("gpu_") && !line.startsWith("gpu_agent_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The newest names of functions that have older ones, which are what a driver of some age lacks first. */
    private static Set<String> newest() {
        Set<String> names = new TreeSet<>();
        for (String name : Abi.get().functions().keySet()) {
            boolean isNewer = name.matches("nvmlDeviceGet.*(_v[234]|V)");
            if (isNewer && Abi.get().functions().containsKey(name.replaceFirst("(_v[234]|V)$", ""))) {
                names.add(name);
            }
        }
        return names;
    }

    @Test
    void aLibraryThatLacksSixtyFunctionsHasAPageWithTheRest() throws Exception {
        SimulatedDriver whole = driver();
        Set<String> all = series(whole);
        SimulatedDriver lacking = driver();
        Set<String> removed = newest();
        removed.addAll(OPTIONAL);
        whole.calls().byFunction().keySet().stream()
                .filter(name -> name.matches("nvmlSystemGet.*_v2|nvmlDeviceGet.*_v[23]"))
                .forEach(removed::add);
        Abi.get().functions().keySet().stream()
                .filter(name -> name.matches("nvml(Vgpu|Gpm|GpuInstanceGet).*"))
                .sorted()
                .takeWhile(name -> removed.size() < 60)
                .forEach(removed::add);
        removed.forEach(lacking::remove);

        Set<String> left = series(lacking);

        assertThat(removed).hasSizeGreaterThanOrEqualTo(60);
        assertThat(all).hasSizeGreaterThan(120);
        assertThat(names(left))
                .contains(
                        "gpu_info",
                        "gpu_utilization_ratio",
                        "gpu_memory_bytes",
                        "gpu_temperature_celsius",
                        "gpu_power_watts",
                        "gpu_clock_hertz",
                        "gpu_ecc_errors_total",
                        "gpu_processes")
                .doesNotContain("gpu_energy_joules_total", "gpu_row_remap_pending");
        assertThat(left.stream().filter(line -> line.startsWith("gpu_device_state{") && line.contains("state=\"ok\"")))
                .hasSize(2)
                .allMatch(line -> line.endsWith(" 1.0"));
        // What is left has the same values, but for used memory, in which older drivers count what is reserved.
        assertThat(all)
                .containsAll(left.stream()
                        .filter(line -> !line.startsWith("gpu_memory_bytes{") && !line.startsWith("gpu_info{"))
                        .toList());
    }

    private static Set<String> names(Set<String> series) {
        return series.stream().map(line -> line.replaceFirst("\\{.*", "")).collect(Collectors.toSet());
    }

    // DCGM #199, dcgm-exporter #312, gpu-monitoring-tools #97
    @ParameterizedTest
    @ValueSource(strings = {"ones", "random", "counts", "200000"})
    void aGpuThatAnswersNonsenseDoesNotSpoilThePageOfTheOther(String kind) throws Exception {
        Set<String> healthy = series(driver());
        SimulatedDriver driver = driver();
        driver.gpu(1).faults().garble(Faults.ALL, garbage(kind), Turns.ALL);

        Set<String> page = series(driver);

        assertThat(page)
                .containsAll(healthy.stream()
                        .filter(line -> line.contains("gpu=\"0\""))
                        .toList());
        assertThat(page).noneMatch(line -> line.contains("4294967295") || line.contains("4.294967295E9"));
    }

    private static Garbage garbage(String kind) {
        return switch (kind) {
            case "ones" -> Garbage.ONES;
            case "random" -> Garbage.RANDOM;
            case "counts" -> Garbage.COUNTS;
            default -> Garbage.value(Long.parseLong(kind));
        };
    }
}
