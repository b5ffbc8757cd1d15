// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.EventSet;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Identity;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.SystemEvents;
import io.gpuagent.nvml.sim.DriverLife;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.UnknownProfileException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The driver goes and comes back, as it was or otherwise; and so do GPUs. */
class DriverLifeIT {
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x8"), () -> 0);
    private final CallLog log = new CallLog();

    private Answer<Nvml> open() {
        return Nvml.open(driver, log, () -> 0, Access.CONTROL);
    }

    private static <T> Answer<T> refused(NvmlFunction function, NvmlReturn code) {
        return new Answer.Refused<>(function, code);
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void unloadedDriverIsToldUntilItIsLoadedAndTheSessionBegunAnew() {
        Nvml old = open().orThrow();
        Gpu gpu = old.gpu(3).orThrow();

        driver.life().unload();

        assertThat(gpu.power().usage())
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.GPU_IS_LOST));
        assertThat(old.gpuCount()).isEqualTo(refused(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.DRIVER_NOT_LOADED));

        driver.life().load();

        assertThat(gpu.power().usage())
                .as("a handle from before")
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.GPU_IS_LOST));
        assertThat(old.gpuCount()).isEqualTo(refused(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.UNINITIALIZED));
        assertThat(old.close()).isTrue();
        Nvml fresh = open().orThrow();
        assertThat(fresh.gpu(3).orThrow().power().usage().value()).isPresent();
    }

    @Test
    void nothingIsInitialisedWithoutADriver() {
        driver.life().unload();

        assertThat(open()).isEqualTo(refused(NvmlFunction.nvmlInit_v2, NvmlReturn.DRIVER_NOT_LOADED));

        driver.life().load();
        assertThat(open().value()).isPresent();
    }

    @Test
    void upgradeUnderARunningModuleIsAMismatchForWhoOpensTheLibraryNow() {
        Nvml running = open().orThrow();
        driver.life().install("535");
        assertThat(running.driverVersion().orThrow()).as("opened before").isEqualTo("580.159.04");
        running.close();

        driver.reopenLibrary();
        assertThat(open()).isEqualTo(refused(NvmlFunction.nvmlInit_v2, NvmlReturn.LIB_RM_VERSION_MISMATCH));

        driver.life().load();
        Nvml after = open().orThrow();
        assertThat(after.driverVersion().orThrow()).startsWith("535.");
        assertThat(after.gpu(0).orThrow().thermal().gpu().value())
                .as("by an older function")
                .isPresent();
        assertThat(driver.calls().byFunction()).doesNotContainKey("nvmlDeviceGetTemperatureV");
    }

    @Test
    void processThatKeepsTheOldLibraryIsTooOldForTheNewModuleUntilItComesBack() {
        open().orThrow().close();
        driver.life().install("535");
        driver.life().load();

        assertThat(open()).isEqualTo(refused(NvmlFunction.nvmlInit_v2, NvmlReturn.LIB_RM_VERSION_MISMATCH));

        driver.reopenLibrary();
        assertThat(open().orThrow().driverVersion().orThrow()).startsWith("535.");

        driver.life().install(DriverLife.ORIGINAL);
        driver.life().load();
        driver.reopenLibrary();
        assertThat(open().orThrow().driverVersion().orThrow()).isEqualTo("580.159.04");
    }

    @Test
    void versionThatDoesNotExistIsNotInstalled() {
        assertThatThrownBy(() -> driver.life().install("1.0"))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageContaining("there is no simulated driver 1.0");
    }

    @Test
    void otherOrderAndNumberOfGpusComeWithTheNextLoad() {
        driver.life().find(2, 0, 7);
        Nvml before = open().orThrow();
        assertThat(before.gpuCount().orThrow()).isEqualTo(8);
        before.close();
        driver.life().load();

        Nvml after = open().orThrow();
        assertThat(after.gpuCount().orThrow()).isEqualTo(3);
        assertThat(List.of(uuid(after, 0), uuid(after, 1), uuid(after, 2)))
                .containsExactly(
                        driver.gpu(2).uuid(),
                        driver.gpu(0).uuid(),
                        driver.gpu(7).uuid());
        assertThat(after.gpuByUuid(driver.gpu(0).uuid()).orThrow().index()).isEqualTo(1);
        assertThat(after.gpuByUuid(driver.gpu(1).uuid()))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetHandleByUUID, NvmlReturn.NOT_FOUND));
        assertThatThrownBy(() -> driver.life().find(1, 1)).hasMessageContaining("names a GPU twice");
    }

    private static String uuid(Nvml nvml, int index) {
        return nvml.gpu(index).orThrow().identity().uuid().orThrow();
    }

    @Test
    void gpuThatIsPulledOutIsLostToItsHoldersAndTheOthersAreNumberedAnew() {
        Nvml nvml = open().orThrow();
        Gpu pulled = nvml.gpu(3).orThrow();
        Gpu next = nvml.gpu(4).orThrow();
        EventSet events = nvml.events().orThrow();
        events.register(pulled, EventType.GPU_UNAVAILABLE_ERROR.bit()).orThrow();

        driver.gpu(3).remove();

        assertThat(nvml.gpuCount().orThrow()).isEqualTo(7);
        assertThat(pulled.power().usage())
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.GPU_IS_LOST));
        assertThat(next.power().usage().value()).isPresent();
        assertThat(uuid(nvml, 3)).isEqualTo(driver.gpu(4).uuid());
        assertThat(events.await(Duration.ZERO).orThrow().orElseThrow().type())
                .contains(EventType.GPU_UNAVAILABLE_ERROR);

        driver.gpu(3).comeBack();

        assertThat(nvml.gpuCount().orThrow()).isEqualTo(8);
        assertThat(uuid(nvml, 3)).isEqualTo(driver.gpu(3).uuid());
        assertThat(pulled.power().usage())
                .as("its old handle")
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.GPU_IS_LOST));
    }

    @Test
    void gpuIsDrainedRemovedAndDiscovered() {
        Nvml nvml = open().orThrow();
        Gpu gpu = nvml.gpu(5).orThrow();
        Identity.PciInfo at = gpu.identity().pci().orThrow();
        assertThat(nvml.pciDevices().drain(at, true))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceModifyDrainState, NvmlReturn.IN_USE));
        gpu.control().persistence(false).orThrow();
        driver.gpu(5).setProcesses(List.of());
        assertThat(nvml.pciDevices().remove(at, false, false))
                .as("it is not drained yet")
                .isEqualTo(refused(NvmlFunction.nvmlDeviceRemoveGpu_v2, NvmlReturn.IN_USE));

        nvml.pciDevices().drain(at, true).orThrow();
        assertThat(nvml.pciDevices().isDraining(at).orThrow()).isTrue();
        nvml.pciDevices().remove(at, false, false).orThrow();
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(7);

        nvml.pciDevices().discover().orThrow();
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(8);
        assertThat(nvml.pciDevices().isDraining(at).orThrow()).isFalse();
    }

    @Test
    void systemEventsTellWhatTheDriverLetsGoOfAndTakes() {
        Nvml nvml = open().orThrow();
        SystemEvents events = nvml.systemEvents().orThrow();
        events.register(EnumSet.allOf(SystemEvents.Kind.class)).orThrow();
        assertThat(events.await(Duration.ZERO).orThrow()).isEmpty();

        driver.gpu(6).remove();
        driver.gpu(6).comeBack();

        int gpu6 = (0x1A + 6 * 0x11) << 8;
        assertThat(events.await(Duration.ZERO).orThrow())
                .extracting(event -> event.kind().orElseThrow() + " " + event.gpuId())
                .containsExactly("GPU_DRIVER_UNBIND " + gpu6, "GPU_DRIVER_BIND " + gpu6);

        driver.life().unload();
        assertThat(events.await(Duration.ZERO).orThrow())
                .as("the set outlives the driver")
                .hasSize(8)
                .allMatch(event -> event.kind().orElseThrow() == SystemEvents.Kind.GPU_DRIVER_UNBIND);
        driver.life().load();
        assertThat(events.await(Duration.ZERO).orThrow())
                .hasSize(8)
                .allMatch(event -> event.kind().orElseThrow() == SystemEvents.Kind.GPU_DRIVER_BIND);
        events.close();
    }

    @Test
    void whoWaitsForEventsOfGpusIsToldThatTheDriverHasGone() throws InterruptedException {
        Nvml nvml = open().orThrow();
        EventSet events = nvml.events().orThrow();
        events.register(nvml.gpu(0).orThrow(), EventType.XID_CRITICAL_ERROR.bit())
                .orThrow();
        CompletableFuture<Answer<?>> waiting = CompletableFuture.supplyAsync(
                () -> events.await(Duration.ofHours(1)),
                task -> Thread.ofPlatform().start(task));
        driver.awaitEventWaiters(1);

        driver.life().unload();

        assertThat(waiting.join()).isEqualTo(refused(NvmlFunction.nvmlEventSetWait_v2, NvmlReturn.GPU_IS_LOST));
    }

    @Test
    void gpuIsFoundByTheBytesOfItsUuid() {
        Nvml nvml = open().orThrow();
        UUID uuid = UUID.fromString(driver.gpu(2).uuid().substring("GPU-".length()));

        assertThat(nvml.gpuByUuid(uuid).orThrow().index()).isEqualTo(2);
        assertThat(nvml.gpuByUuid(new UUID(1, 2)))
                .isEqualTo(refused(NvmlFunction.nvmlDeviceGetHandleByUUIDV, NvmlReturn.NOT_FOUND));
    }
}
