// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a C program sees of the library: symbols, life cycle, handles, refusals. */
class SimulatedDriverIT {
    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x8"), time);
    private final RawNvml nvml = new RawNvml(driver);

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void nothingWorksBeforeInitAndAfterTheLastShutdown() {
        Guarded count = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetCount_v2", count)).isEqualTo(Code.UNINITIALIZED);
        assertThat(nvml.call("nvmlShutdown")).isEqualTo(Code.UNINITIALIZED);

        assertThat(nvml.call("nvmlInit_v2")).isZero();
        assertThat(nvml.call("nvmlInitWithFlags", 0)).isZero();
        assertThat(nvml.call("nvmlShutdown")).isZero();
        assertThat(nvml.call("nvmlDeviceGetCount_v2", count)).isZero();
        assertThat(count.getInt(0)).isEqualTo(8);

        assertThat(nvml.call("nvmlShutdown")).isZero();
        assertThat(nvml.call("nvmlDeviceGetCount_v2", count)).isEqualTo(Code.UNINITIALIZED);
    }

    @Test
    void initFailsAsOftenAsItIsToldTo() {
        driver.failInit(9, 2);

        assertThat(nvml.call("nvmlInit_v2")).isEqualTo(9);
        assertThat(nvml.call("nvmlInit_v2")).isEqualTo(9);
        assertThat(nvml.call("nvmlInit_v2")).isZero();
    }

    @Test
    void codesHaveTexts() {
        assertThat(nvml.errorText(0)).isEqualTo("Success");
        assertThat(nvml.errorText(15)).isEqualTo("GPU is lost");
        assertThat(nvml.errorText(4711)).isEqualTo("Unknown Error");
    }

    @Test
    void everyFunctionOfTheHeaderIsExportedAndCanBeCalled() {
        nvml.call("nvmlInit_v2");
        long device = nvml.device(0);
        for (CFunction function : Abi.get().functions().values()) {
            if (function.returns() != 'I' || function.name().equals("nvmlShutdown")) {
                continue;
            }
            // Null pointers all over: whatever is written would end the process.
            Object[] arguments = new Object[function.kinds().length()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = function.kinds().charAt(i) == 'I' ? (Object) 0 : (Object) 0L;
            }
            if (function.asksDevice()) {
                assertThat(nvml.call(function.name(), arguments))
                        .as(function.name())
                        .isEqualTo(Code.INVALID_ARGUMENT);
                arguments[0] = device;
            }
            boolean isInit = function.name().startsWith("nvmlInit");
            int code = nvml.call(function.name(), arguments);
            // A setter of a plain number has nothing that could be null.
            boolean hasPointer = function.kinds().indexOf('P', function.asksDevice() ? 1 : 0) >= 0;
            if (hasPointer || isInit || !function.asksDevice()) {
                assertThat(code == 0).as(function.name()).isEqualTo(isInit);
            } else {
                assertThat(code).as(function.name()).isNotEqualTo(Code.UNKNOWN);
            }
        }
    }

    @Test
    void whatTheHeaderDoesNotDeclareIsNotExported() {
        assertThat(driver.address("nvmlDeviceGetBBXTimeData_v1")).isEmpty();
    }

    @Test
    void aSymbolCanBeMissingButNotVanish() {
        driver.remove("nvmlDeviceGetTemperatureV");
        assertThat(driver.address("nvmlDeviceGetTemperatureV")).isEmpty();

        assertThat(driver.address("nvmlDeviceGetTemperature")).isPresent();
        assertThatThrownBy(() -> driver.remove("nvmlDeviceGetTemperature")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void gpusAreFoundByIndexUuidSerialAndBusId() {
        nvml.call("nvmlInit_v2");
        Guarded found = nvml.bytes(8);
        for (int i = 0; i < 8; i++) {
            long device = nvml.device(i);
            Guarded uuid = nvml.bytes(80);
            assertThat(nvml.call("nvmlDeviceGetUUID", device, uuid, 80)).isZero();
            assertThat(uuid.text()).matches("GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
            assertThat(nvml.call("nvmlDeviceGetHandleByUUID", uuid, found)).isZero();
            assertThat(found.getLong(0)).isEqualTo(device);

            Guarded pci = nvml.struct("nvmlPciInfo_t");
            assertThat(nvml.call("nvmlDeviceGetPciInfo_v3", device, pci)).isZero();
            assertThat(pci.text("busId")).isEqualTo(driver.gpu(i).busId());
            assertThat(pci.get("pciDeviceId")).isEqualTo(0x233510DE);
            for (String busId : List.of(
                    pci.text("busId"),
                    pci.text("busIdLegacy"),
                    pci.text("busId").toLowerCase(Locale.ROOT))) {
                found.setInt(0, 0);
                assertThat(nvml.call("nvmlDeviceGetHandleByPciBusId_v2", nvml.text(busId), found))
                        .isZero();
                assertThat(found.getLong(0)).isEqualTo(device);
            }
            assertThat(nvml.integer("nvmlDeviceGetMinorNumber", i)).isEqualTo(i);
            assertThat(nvml.integer("nvmlDeviceGetIndex", i)).isEqualTo(i);
        }
        assertThat(nvml.call("nvmlDeviceGetHandleByUUID", nvml.text("GPU-none"), found))
                .isEqualTo(Code.NOT_FOUND);
        assertThat(nvml.call("nvmlDeviceGetHandleByIndex_v2", 8, found)).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void identitiesDifferAndAreTheSameInEveryRun() {
        SimulatedDriver again = SimulatedDriver.start(SimProfile.parse("h200x8"), time, 99);
        Set<String> seen = new HashSet<>();
        List<String> busIds = new ArrayList<>();
        for (SimulatedGpu gpu : driver.gpus()) {
            assertThat(seen.add(gpu.uuid())).isTrue();
            assertThat(again.gpu(gpu.index()).uuid()).isEqualTo(gpu.uuid());
            busIds.add(gpu.busId());
        }
        assertThat(busIds).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void garbageHandlesAreRefused() {
        nvml.call("nvmlInit_v2");
        Guarded out = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", 0xDEADBEEFL, out)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", 0L, out)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(out.isUntouched()).isTrue();
    }

    @Test
    void textsNeedRoomForTheirNul() {
        nvml.call("nvmlInit_v2");
        Guarded exact = nvml.bytes(12);
        assertThat(nvml.call("nvmlDeviceGetName", nvml.device(0), exact, 12)).isZero();
        assertThat(exact.text()).isEqualTo("NVIDIA H200");

        Guarded tooSmall = nvml.bytes(11);
        assertThat(nvml.call("nvmlDeviceGetName", nvml.device(0), tooSmall, 11)).isEqualTo(Code.INSUFFICIENT_SIZE);
        assertThat(tooSmall.isUntouched()).isTrue();
    }

    @Test
    void versionWordsAreChecked() {
        nvml.call("nvmlInit_v2");
        Guarded memory = nvml.struct("nvmlMemory_v2_t").with("version", 40 | 2 << 24);
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(0), memory))
                .isZero();
        assertThat(memory.get("total")).isEqualTo(150754820096L);

        memory = nvml.struct("nvmlMemory_v2_t").with("version", 40 | 3 << 24);
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(0), memory))
                .isEqualTo(Code.ARGUMENT_VERSION_MISMATCH);
    }

    @Test
    void forcedCodesHoldForOneGpuAndEnd() {
        nvml.call("nvmlInit_v2");
        long lost = nvml.device(2);
        Guarded out = nvml.bytes(4);
        driver.gpu(2).lose();
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", lost, out)).isEqualTo(Code.GPU_IS_LOST);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", nvml.device(1), out)).isZero();

        driver.gpu(2).heal();
        driver.gpu(2).answerTimes("nvmlDeviceGetPowerUsage", 999, 2);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", lost, out)).isEqualTo(999);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", lost, out)).isEqualTo(999);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", lost, out)).isZero();
        assertThat(driver.calls().of("nvmlDeviceGetPowerUsage", 2)).isEqualTo(4);
        assertThat(driver.calls().of("nvmlDeviceGetPowerUsage")).isEqualTo(5);
    }

    @Test
    void aHangHoldsItsCallerThroughInterruptsAndNobodyElse() throws InterruptedException {
        nvml.call("nvmlInit_v2");
        long device = nvml.device(3);
        Guarded out = nvml.bytes(4);
        nvml.call("nvmlDeviceGetPowerUsage", nvml.device(1), out);
        Hang hang = driver.gpu(3).hang("nvmlDeviceGetPowerUsage");
        int[] code = {-1};
        Thread caller = new Thread(() -> code[0] = nvml.call("nvmlDeviceGetPowerUsage", device, nvml.bytes(4)));
        caller.start();
        hang.awaitHeld(1);

        caller.interrupt();
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", nvml.device(1), out)).isZero();
        assertThat(hang.held()).isEqualTo(1);
        assertThat(caller.isAlive()).isTrue();

        hang.release();
        caller.join();
        assertThat(code[0]).isZero();
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", device, out)).isZero();
    }

    @Test
    void aDriverThatNobodyUsesGoes() {
        WeakReference<SimulatedDriver> unused = lookedUpAndDropped();
        for (int i = 0; i < 20 && unused.get() != null; i++) {
            System.gc();
        }
        assertThat(unused.get()).isNull();
    }

    private WeakReference<SimulatedDriver> lookedUpAndDropped() {
        SimulatedDriver dropped = SimulatedDriver.start(SimProfile.parse("h200"), time);
        assertThat(dropped.address("nvmlInit_v2")).isPresent();
        return new WeakReference<>(dropped);
    }

    @Test
    void callsCanTakeAsLongAsTheyDidOnTheCard() {
        nvml.call("nvmlInit_v2");
        long device = nvml.device(0);
        List<Long> spent = new ArrayList<>();
        driver.spendLatency(spent::add);
        nvml.call("nvmlDeviceGetInforomConfigurationChecksum", device, nvml.bytes(4));
        nvml.call("nvmlDeviceGetPowerUsage", device, nvml.bytes(4));

        assertThat(spent).containsExactly(70_464_950L, 590L);
    }
}
