// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpuagent.nvml.sim.SimulatedProcess.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What performance monitoring tells is what the load was between its two samples. */
class GpmIT {
    private static final int GRAPHICS = 1;
    private static final int DRAM = 10;

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), time);
    private final RawNvml nvml = new RawNvml(driver);

    @BeforeEach
    void init() {
        nvml.call("nvmlInit_v2");
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    private long sample() {
        Guarded handle = nvml.bytes(8);
        assertThat(nvml.call("nvmlGpmSampleAlloc", handle)).isZero();
        return handle.getLong(0);
    }

    private long sample(int gpu) {
        long sample = sample();
        assertThat(nvml.call("nvmlGpmSampleGet", nvml.device(gpu), sample)).isZero();
        return sample;
    }

    private long sample(int gpu, int gpuInstance) {
        long sample = sample();
        assertThat(nvml.call("nvmlGpmMigSampleGet", nvml.device(gpu), gpuInstance, sample))
                .isZero();
        return sample;
    }

    private Guarded request(long older, long newer, int... metrics) {
        Guarded request = nvml.struct("nvmlGpmMetricsGet_t")
                .with("version", 1)
                .with("numMetrics", metrics.length)
                .withLong("sample1", older)
                .withLong("sample2", newer);
        for (int i = 0; i < metrics.length; i++) {
            request.with("metrics[" + i + "].metricId", metrics[i]);
        }
        return request;
    }

    private double metric(long older, long newer, int metric) {
        Guarded request = request(older, newer, metric);
        assertThat(nvml.call("nvmlGpmMetricsGet", request)).isZero();
        assertThat(request.get("metrics[0].nvmlReturn")).isZero();
        return Double.longBitsToDouble(request.get("metrics[0].value"));
    }

    @Test
    void metricsAreTheMeanOfTheLoadBetweenTheSamples() {
        driver.gpu(0).setUtilization(80, 40);
        long older = sample(0);
        time.advanceSeconds(3);
        driver.gpu(0).setUtilization(20, 10);
        time.advanceSeconds(1);
        long newer = sample(0);

        assertThat(metric(older, newer, GRAPHICS)).isCloseTo(65, within(1e-9));
        assertThat(metric(older, newer, DRAM)).isCloseTo(32.5, within(1e-9));
    }

    @Test
    void aMovingLoadIsSeenByUtilizationAndByMonitoringAlike() {
        long older = sample(1);
        double sum = 0;
        for (int second = 0; second < 60; second++) {
            sum += driver.gpu(1).sensors().gpuPercent();
            time.advanceSeconds(1);
        }
        assertThat(metric(older, sample(1), GRAPHICS)).isCloseTo(sum / 60, within(1e-9));
    }

    @Test
    void metricsHaveNamesUnitsAndCodesOfTheirOwn() {
        long older = sample(0);
        time.advanceSeconds(1);
        Guarded request = request(older, sample(0), 1, 99, 21, 30);
        assertThat(nvml.call("nvmlGpmMetricsGet", request)).isZero();

        assertThat(NativeMemory.string(request.get("metrics[0].metricInfo.shortName")))
                .isEqualTo("gract");
        assertThat(request.get("metrics[1].nvmlReturn")).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(NativeMemory.string(request.get("metrics[2].metricInfo.unit")))
                .isEqualTo("MiB/s");
        assertThat(request.get("metrics[3].nvmlReturn")).isZero();
        assertThat(request.get("metrics[3].metricInfo.shortName")).isZero();
    }

    @Test
    void instancesAreMonitoredOneByOne() {
        SimulatedMig mig = driver.gpu(0).mig();
        mig.setMode(true);
        int half = mig.create("3g.71gb", 4, "1c.3g.71gb", "2c.3g.71gb");
        int eighth = mig.create("1g.18gb", 0, "1g.18gb");
        mig.setUtilization(half, 0, 30);
        mig.setUtilization(half, 1, 60);
        long olderHalf = sample(0, half);
        long olderEighth = sample(0, eighth);
        time.advanceSeconds(5);

        // 16 and 32 of the 60 SMs of a 3g.
        assertThat(metric(olderHalf, sample(0, half), GRAPHICS)).isCloseTo(40, within(1e-9));
        assertThat(metric(olderEighth, sample(0, eighth), GRAPHICS)).isZero();
        assertThat(nvml.call("nvmlGpmMetricsGet", request(olderHalf, sample(0, eighth), 1)))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlGpmMigSampleGet", nvml.device(0), 5, sample()))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlGpmMigSampleGet", nvml.device(1), 5, sample()))
                .isEqualTo(Code.NOT_SUPPORTED);
    }

    @Test
    void anInstanceWithAProcessHasALoadOfItsOwn() {
        SimulatedMig mig = driver.gpu(0).mig();
        mig.setMode(true);
        int half = mig.create("3g.71gb", 4, "3g.71gb");
        driver.gpu(0).setProcesses(List.of(new SimulatedProcess(5_000_001, Kind.COMPUTE, 1 << 30, half, 0)));
        long older = sample(0, half);
        time.advanceSeconds(600);

        assertThat(metric(older, sample(0, half), GRAPHICS)).isBetween(20.0, 80.0);
    }

    @Test
    void samplesThatWereNotTakenOrAreFreeAreRefused() {
        long taken = sample(0);
        assertThat(nvml.call("nvmlGpmMetricsGet", request(taken, sample(), 1))).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlGpmMetricsGet", request(taken, taken, 1).with("version", 2)))
                .isEqualTo(Code.ARGUMENT_VERSION_MISMATCH);
        assertThat(nvml.call("nvmlGpmSampleFree", taken)).isZero();
        assertThat(nvml.call("nvmlGpmSampleFree", taken)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlGpmMetricsGet", request(taken, taken, 1))).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @ParameterizedTest
    @CsvSource({"h200, 1", "h100-80gb, 1", "rtx-pro-6000, 1", "a100-40gb, 0", "a30, 0"})
    void hopperAndNewerAreMonitored(String card, int isSupported) {
        SimulatedDriver other = SimulatedDriver.start(SimProfile.parse(card), time);
        try (RawNvml otherNvml = new RawNvml(other)) {
            otherNvml.call("nvmlInit_v2");
            Guarded support = otherNvml.struct("nvmlGpmSupport_t").with("version", 1);
            assertThat(otherNvml.call("nvmlGpmQueryDeviceSupport", otherNvml.device(0), support))
                    .isZero();
            assertThat(support.get("isSupportedDevice")).isEqualTo(isSupported);
            Guarded handle = otherNvml.bytes(8);
            otherNvml.call("nvmlGpmSampleAlloc", handle);
            assertThat(otherNvml.call("nvmlGpmSampleGet", otherNvml.device(0), handle.getLong(0)))
                    .isEqualTo(isSupported == 1 ? 0 : Code.NOT_SUPPORTED);
        }
    }
}
