// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readings that move: they fit together in every second, and a pinned one takes the others along. */
class LoadIT {
    private static final long GIB = 1L << 30;

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x4"), time);
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

    @Test
    void anHourOfReadingsIsPhysicallyPossible() {
        int busiest = 0;
        int idleSeconds = 0;
        long energy = energy(1);
        for (int second = 0; second < 3600; second++) {
            time.advanceSeconds(1);
            int percent = utilization(1);
            int power = nvml.integer("nvmlDeviceGetPowerUsage", 1);
            busiest = Math.max(busiest, percent);
            idleSeconds += percent == 0 ? 1 : 0;
            assertThat(percent).isBetween(0, 100);
            assertThat(power).isBetween(80_000, 700_000);
            assertThat(temperature(1)).isBetween(35, 74);
            assertThat(reasons(1) & ClockReasons.IDLE).isEqualTo(percent == 0 ? 1 : 0);
            assertMemoryAddsUp(1);

            long before = energy;
            energy = energy(1);
            assertThat(energy - before).isBetween(80_000L, 700_000L);
        }
        assertThat(busiest).isGreaterThan(95);
        assertThat(idleSeconds).isPositive();
    }

    private void assertMemoryAddsUp(int gpu) {
        Guarded v1 = nvml.struct("nvmlMemory_t");
        Guarded v2 = nvml.struct("nvmlMemory_v2_t").with("version", 40 | 2 << 24);
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo", nvml.device(gpu), v1)).isZero();
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(gpu), v2))
                .isZero();
        assertThat(v2.get("used") + v2.get("free") + v2.get("reserved")).isEqualTo(v2.get("total"));
        assertThat(v1.get("used")).isEqualTo(v2.get("used") + v2.get("reserved"));
        assertThat(v1.get("free")).isEqualTo(v2.get("free"));
        long held = driver.gpu(gpu).sensors().processes().stream()
                .mapToLong(SimulatedProcess::memory)
                .sum();
        assertThat(v2.get("used")).isEqualTo(held);
    }

    @Test
    void gpu0HasNoProcessAndNoWork() {
        for (int minute = 0; minute < 120; minute++) {
            time.advanceSeconds(60);
            assertThat(utilization(0)).isZero();
            assertThat(driver.gpu(0).sensors().processes()).isEmpty();
            assertThat(driver.gpu(1).sensors().processes()).isNotEmpty();
        }
    }

    @Test
    void readingsOfOneSecondAgreeAndTwoRunsAreAlike() {
        ManualNanos otherTime = new ManualNanos();
        SimulatedDriver other = SimulatedDriver.start(SimProfile.parse("h200x4"), otherTime);
        time.advanceSeconds(500);
        otherTime.advanceSeconds(500);
        Sensors first = driver.gpu(2).sensors();
        time.advanceMillis(999);

        assertThat(driver.gpu(2).sensors())
                .isEqualTo(first)
                .isEqualTo(other.gpu(2).sensors());
        // One of the two was read every second on the way, the other not at all.
        assertThat(other.gpu(2).energyMillijoules()).isEqualTo(driver.gpu(2).energyMillijoules());

        time.advanceMillis(1);
        assertThat(driver.gpu(2).sensors()).isNotEqualTo(first);
        assertThat(SimulatedDriver.start(SimProfile.parse("h200x4"), otherTime, 7)
                        .gpu(2)
                        .sensors())
                .isNotEqualTo(other.gpu(2).sensors());
    }

    @Test
    void pinnedUtilizationTakesPowerAndTemperatureAlong() {
        driver.gpu(0).setUtilization(100, 40);
        assertThat(utilization(0)).isEqualTo(100);
        assertThat(nvml.integer("nvmlDeviceGetPowerUsage", 0)).isGreaterThan(650_000);
        assertThat(temperature(0)).isEqualTo(74);
        assertThat(reasons(0)).isEqualTo(ClockReasons.SOFTWARE_POWER_CAP);

        driver.gpu(0).setTemperature(91);
        driver.gpu(0).setClockReasons(0x40);
        assertThat(temperature(0)).isEqualTo(91);
        assertThat(reasons(0)).isEqualTo(0x40);
        Guarded margin = nvml.struct("nvmlMarginTemperature_t").with("version", 8 | 1 << 24);
        assertThat(nvml.call("nvmlDeviceGetMarginTemperature", nvml.device(0), margin))
                .isZero();
        assertThat((int) margin.get("marginTemperature")).isEqualTo(-4);

        driver.gpu(0).unpin();
        assertThat(utilization(0)).isZero();
    }

    @Test
    void energyIsWhatPowerWas() {
        driver.gpu(3).setPower(250_000);
        long start = energy(3);
        time.advanceSeconds(10);
        driver.gpu(3).setPower(100_000);
        time.advanceSeconds(5);

        assertThat(energy(3) - start).isEqualTo(10 * 250_000 + 5 * 100_000);
    }

    @Test
    void processListsTellTheTrueCountFirst() {
        driver.gpu(0)
                .setProcesses(List.of(
                        new SimulatedProcess(5_000_001, SimulatedProcess.Kind.COMPUTE, 3 * GIB),
                        new SimulatedProcess(5_000_002, SimulatedProcess.Kind.MPS, GIB),
                        new SimulatedProcess(5_000_003, SimulatedProcess.Kind.COMPUTE, 2 * GIB)));
        for (String version : List.of("", "_v2", "_v3")) {
            String symbol = "nvmlDeviceGetComputeRunningProcesses" + version;
            String type = version.isEmpty() ? "nvmlProcessInfo_v1_t" : "nvmlProcessInfo_v2_t";
            Guarded count = nvml.bytes(4).setInt(0, 0);
            assertThat(nvml.call(symbol, nvml.device(0), count, null)).isEqualTo(Code.INSUFFICIENT_SIZE);
            // A client of MPS is in both lists: captured on an H200, driver 580.159.04.
            assertThat(count.getInt(0)).isEqualTo(3);

            Guarded tooShort = nvml.structs(type, 1);
            assertThat(nvml.call(symbol, nvml.device(0), count.setInt(0, 1), tooShort))
                    .isEqualTo(Code.INSUFFICIENT_SIZE);
            assertThat(tooShort.isUntouched()).isTrue();

            Guarded processes = nvml.structs(type, 3);
            assertThat(nvml.call(symbol, nvml.device(0), count.setInt(0, 3), processes))
                    .isZero();
            assertThat(processes.get("pid", 2)).isEqualTo(5_000_003);
            assertThat(processes.get("usedGpuMemory", 2)).isEqualTo(2 * GIB);
            if (!version.isEmpty()) {
                assertThat((int) processes.get("gpuInstanceId", 2)).isEqualTo(-1);
            }
        }
        Guarded count = nvml.bytes(4).setInt(0, 4);
        assertThat(nvml.call(
                        "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                        nvml.device(0),
                        count,
                        nvml.structs("nvmlProcessInfo_v2_t", 4)))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(1);
    }

    @Test
    void theFirstR535LibrariesHaveLongerRecordsOfProcesses() {
        SimulatedDriver old = SimulatedDriver.start(SimProfile.parse("h200@535.43"), time);
        old.gpu(0)
                .setProcesses(List.of(
                        new SimulatedProcess(5_000_001, SimulatedProcess.Kind.COMPUTE, GIB),
                        new SimulatedProcess(5_000_002, SimulatedProcess.Kind.COMPUTE, GIB)));
        try (RawNvml oldNvml = new RawNvml(old)) {
            oldNvml.call("nvmlInit_v2");
            Guarded count = oldNvml.bytes(4).setInt(0, 2);
            Guarded records = oldNvml.bytes(2 * 32);
            assertThat(oldNvml.call("nvmlDeviceGetComputeRunningProcesses_v3", oldNvml.device(0), count, records))
                    .isZero();
            assertThat(records.getInt(0)).isEqualTo(5_000_001);
            assertThat(records.getInt(32)).isEqualTo(5_000_002);
        }
        assertThat(SimulatedDriver.start(SimProfile.parse("h200@535.98"), time)
                        .address("nvmlDeviceGetComputeRunningProcesses_v3"))
                .isEmpty();
    }

    @Test
    void stateOfTheCardIsReadThroughAllItsFunctions() {
        GpuState state = driver.gpu(1).state();
        state.addCorrectedErrors(5);
        state.addUncorrectedErrors(2);
        state.clearVolatileErrors();
        state.addUncorrectedErrors(1);
        state.setRemappedRows(3, 1, true, false);
        state.setRecoveryAction(1);
        state.setMig(false, true);
        Guarded out = nvml.bytes(8);
        assertThat(nvml.call("nvmlDeviceGetTotalEccErrors", nvml.device(1), 1, 1, out))
                .isZero();
        assertThat(out.getLong(0)).isEqualTo(3);
        assertThat(nvml.call("nvmlDeviceGetTotalEccErrors", nvml.device(1), 1, 0, out))
                .isZero();
        assertThat(out.getLong(0)).isEqualTo(1);
        assertThat(field(1, 5)).isEqualTo(5);
        assertThat(field(1, 144)).isEqualTo(1);
        assertThat(field(1, 230)).isEqualTo(1);

        Guarded pending = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetMigMode", nvml.device(1), out, pending))
                .isZero();
        assertThat(out.getInt(0)).isZero();
        assertThat(pending.getInt(0)).isEqualTo(1);

        state.setMig(true, true);
        assertThat(nvml.call("nvmlDeviceGetUtilizationRates", nvml.device(1), nvml.struct("nvmlUtilization_t")))
                .isEqualTo(Code.NOT_SUPPORTED);
        assertThat(nvml.integer("nvmlDeviceGetMaxMigDeviceCount", 1)).isEqualTo(7);
    }

    private long field(int gpu, int id) {
        Guarded value = nvml.struct("nvmlFieldValue_t").with("fieldId", id);
        assertThat(nvml.call("nvmlDeviceGetFieldValues", nvml.device(gpu), 1, value))
                .isZero();
        assertThat(value.get("nvmlReturn")).isZero();
        return value.get("value.ullVal");
    }

    private int utilization(int gpu) {
        Guarded rates = nvml.struct("nvmlUtilization_t");
        assertThat(nvml.call("nvmlDeviceGetUtilizationRates", nvml.device(gpu), rates))
                .isZero();
        return (int) rates.get("gpu");
    }

    private int temperature(int gpu) {
        Guarded out = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetTemperature", nvml.device(gpu), 0, out))
                .isZero();
        return out.getInt(0);
    }

    private long reasons(int gpu) {
        Guarded out = nvml.bytes(8);
        assertThat(nvml.call("nvmlDeviceGetCurrentClocksEventReasons", nvml.device(gpu), out))
                .isZero();
        return out.getLong(0);
    }

    private long energy(int gpu) {
        Guarded out = nvml.bytes(8);
        assertThat(nvml.call("nvmlDeviceGetTotalEnergyConsumption", nvml.device(gpu), out))
                .isZero();
        return out.getLong(0);
    }
}
