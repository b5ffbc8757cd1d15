// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the driver remembers of the last seconds, and for how long the clocks were held down. */
class SamplesIT {
    private static final int POWER = 0;
    private static final int GPU = 1;

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), time);
    private final RawNvml nvml = new RawNvml(driver);
    private final Guarded type = nvml.bytes(4);
    private final Guarded count = nvml.bytes(4);

    @BeforeEach
    void init() {
        nvml.call("nvmlInit_v2");
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    private int ask(int kind, long seen, Guarded samples) {
        return nvml.call("nvmlDeviceGetSamples", nvml.device(0), kind, seen, type, count, samples);
    }

    private List<Long> values(Guarded samples) {
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count.getInt(0); i++) {
            values.add(samples.get("sampleValue.ullVal", i));
        }
        return values;
    }

    @Test
    void samplesAreTheReadingsOfTheirSeconds() {
        driver.gpu(0).setUtilization(70, 40);
        time.advanceSeconds(2);
        driver.gpu(0).setUtilization(30, 10);
        time.advanceSeconds(1);
        assertThat(ask(GPU, 0, null)).isZero();
        assertThat(count.getInt(0)).isEqualTo(71);
        assertThat(type.getInt(0)).isEqualTo(1);

        Guarded samples = nvml.structs("nvmlSample_t", 71);
        assertThat(ask(GPU, 0, samples)).isZero();
        List<Long> values = values(samples);
        assertThat(values).hasSize(71);
        assertThat(values.subList(0, 50)).containsOnly(0L);
        assertThat(values).contains(70L, 30L);
        assertThat(values.getLast()).isEqualTo(30);
        assertThat(values.stream().filter(value -> value == 70).count()).isEqualTo(12);
    }

    @Test
    void onlyWhatIsNewIsGiven() {
        Guarded samples = nvml.structs("nvmlSample_t", 119);
        count.setInt(0, 119);
        time.advanceSeconds(20);
        assertThat(ask(POWER, 0, samples)).isZero();
        assertThat(count.getInt(0)).isEqualTo(119);
        long seen = samples.get("timeStamp", 118);
        assertThat(ask(POWER, seen, samples)).isEqualTo(Code.NOT_FOUND);

        time.advanceMillis(500);
        count.setInt(0, 119);
        assertThat(ask(POWER, seen, samples)).isZero();
        assertThat(count.getInt(0)).isEqualTo(5);
        assertThat(values(samples)).allMatch(milliwatts -> milliwatts > 80_000 && milliwatts < 90_000);

        Guarded few = nvml.structs("nvmlSample_t", 2);
        count.setInt(0, 2);
        assertThat(ask(POWER, seen, few)).isZero();
        assertThat(count.getInt(0)).isEqualTo(2);
    }

    @Test
    void whatIsNotKeptIsRefusedAsOnTheCard() {
        count.setInt(0, 8);
        Guarded samples = nvml.structs("nvmlSample_t", 8);
        assertThat(ask(5, 0, samples)).isEqualTo(Code.NOT_FOUND);
        assertThat(ask(7, 0, samples)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(ask(GPU, 0, nvml.structs("nvmlSample_t", 8))).isZero();
        driver.gpu(0).mig().setMode(true);
        assertThat(ask(GPU, 0, samples)).isEqualTo(Code.NOT_SUPPORTED);
        assertThat(ask(POWER, 0, samples)).isZero();
    }

    @Test
    void timeUnderALimitAddsUp() {
        long power = violation(0);
        long thermal = violation(1);
        long idle = violation(4);
        time.advanceSeconds(10);
        driver.gpu(0).setUtilization(100, 60);
        time.advanceSeconds(5);
        driver.gpu(0).setClockReasons(0x20);
        time.advanceSeconds(3);

        assertThat(violation(4) - idle).isEqualTo(10_000_000_000L);
        assertThat(violation(0) - power).isEqualTo(5_000_000_000L);
        assertThat(violation(1) - thermal).isEqualTo(3_000_000_000L);
        Guarded field = nvml.struct("nvmlFieldValue_t").with("fieldId", 269);
        assertThat(nvml.call("nvmlDeviceGetFieldValues", nvml.device(0), 1, field))
                .isZero();
        assertThat(field.get("value.ullVal")).isEqualTo(3_000_000_000L);
    }

    private long violation(int policy) {
        Guarded status = nvml.struct("nvmlViolationTime_t");
        assertThat(nvml.call("nvmlDeviceGetViolationStatus", nvml.device(0), policy, status))
                .isZero();
        return status.get("violationTime");
    }

    @Test
    void accountingIsOffAsOnTheCard() {
        assertThat(nvml.integer("nvmlDeviceGetAccountingMode", 0)).isZero();
        assertThat(nvml.call("nvmlDeviceGetAccountingStats", nvml.device(0), 1, nvml.struct("nvmlAccountingStats_t")))
                .isEqualTo(Code.NOT_SUPPORTED);
    }
}
