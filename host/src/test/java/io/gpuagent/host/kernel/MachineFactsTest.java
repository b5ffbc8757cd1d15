// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PciAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files tell of the driver, the PCI bus, units and the boot. */
class MachineFactsTest {
    @TempDir
    Path folder;

    private HostView host() {
        return new HostView(folder, Map.of(), 0);
    }

    private Path write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Captured on an H200, driver 580.159.04. */
    @Test
    void theModuleTellsItsVersionAndWhetherItLogsXids() throws IOException {
        write(
                "proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (nixbld@)\nGCC version:  gcc version 15.3.0 (GCC)\n");
        write("proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmLogonRC: 1\nModifyDeviceFiles: 1\n");
        assertThat(NvidiaModule.read(host()))
                .isEqualTo(new NvidiaModule(Optional.of("580.159.04"), Optional.of(true), Optional.empty()));
        write("proc/driver/nvidia/params", "RmLogonRC: 0\n");
        assertThat(NvidiaModule.read(host()).logsXids()).contains(false);
    }

    @Test
    void withoutADriverNothingIsKnown() {
        assertThat(NvidiaModule.read(host()))
                .isEqualTo(new NvidiaModule(Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(PciGpus.scan(host())).isEmpty();
        assertThat(BootId.read(host())).isEmpty();
    }

    @Test
    void aLibraryThatWasReplacedUnderTheModuleIsSeen() throws IOException {
        write("sys/module/nvidia/version", "580.95.05\n");
        Path library = write("usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.159.04", "");
        Files.createSymbolicLink(library.resolveSibling("libnvidia-ml.so.1"), library.getFileName());
        NvidiaModule module = NvidiaModule.read(host());
        assertThat(module.library()).contains("580.159.04");
        assertThat(module.isMismatchPending()).isTrue();
    }

    private void pci(String address, String vendor, String type, String driver) throws IOException {
        write("sys/bus/pci/devices/" + address + "/vendor", vendor + "\n");
        Path file = write("sys/bus/pci/devices/" + address + "/class", type + "\n");
        if (!driver.isEmpty()) {
            Path target = Files.createDirectories(folder.resolve("sys/bus/pci/drivers/" + driver));
            Files.createSymbolicLink(file.resolveSibling("driver"), target);
        }
    }

    @Test
    void theBusHasTheGpusThatAreLeftToTheDriver() throws IOException {
        pci("0000:9b:00.0", "0x10de", "0x030200", "nvidia");
        pci("0000:3b:00.0", "0x10de", "0x030000", "");
        pci("0000:3c:00.0", "0x10de", "0x030200", "vfio-pci");
        pci("0000:3b:00.1", "0x10de", "0x040300", "snd_hda_intel");
        pci("0000:00:02.0", "0x8086", "0x030000", "i915");
        assertThat(PciGpus.scan(host()).orElseThrow())
                .containsExactly(new PciAddress(0, 0x3b, 0), new PciAddress(0, 0x9b, 0));
    }

    @Test
    void unitsRunWhereTheirControlGroupHasProcesses() throws IOException {
        assertThat(UnitActivity.of(host(), "nvidia-persistenced.service", "system.slice"))
                .isEqualTo(UnitActivity.UNKNOWN);
        write("sys/fs/cgroup/system.slice/nvidia-persistenced.service/cgroup.events", "populated 1\nfrozen 0\n");
        write("usr/lib/systemd/system/nvidia-fabricmanager.service", "[Unit]\n");
        write("usr/lib/systemd/system/gpu-agent-mps@.service", "[Unit]\n");
        assertThat(UnitActivity.of(host(), "nvidia-persistenced.service", "system.slice"))
                .isEqualTo(UnitActivity.ACTIVE);
        assertThat(UnitActivity.of(host(), "nvidia-fabricmanager.service", "system.slice"))
                .isEqualTo(UnitActivity.INACTIVE);
        assertThat(UnitActivity.of(host(), "gpu-agent-mps@gpu-1.service", "system.slice"))
                .isEqualTo(UnitActivity.INACTIVE);
        assertThat(UnitActivity.of(host(), "nvidia-imex.service", "system.slice"))
                .isEqualTo(UnitActivity.NOT_INSTALLED);
    }

    @Test
    void theBootHasAnId() throws IOException {
        write("proc/sys/kernel/random/boot_id", "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69\n");
        assertThat(BootId.read(host())).contains(new BootId("5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69"));
        write("proc/sys/kernel/random/boot_id", "no id");
        assertThat(BootId.read(host())).isEmpty();
    }
}
