// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;

/**
 * What tells one simulated GPU from another; the same in every run.
 *
 * @param uuid such as {@code GPU-6e2a…}
 * @param serial 13 digits
 * @param minor number of its {@code /dev/nvidiaN}
 * @param domain PCI domain
 * @param bus PCI bus
 * @param device PCI device
 */
record GpuIdentity(String uuid, String serial, int minor, int domain, int bus, int device) {
    static GpuIdentity of(Description card, int index, int gpus) {
        if (card.isReplay() && card.recording() != null) {
            return captured(card.recording().object(Recording.gpu(index)), index);
        }
        UUID uuid = UUID.nameUUIDFromBytes((card.hardware() + " GPU " + index).getBytes(StandardCharsets.UTF_8));
        Hardware first = card.hardware();
        // A card alone sits where it was captured. Several sit eight to a PCI domain, in the order of their index.
        boolean isAlone = gpus == 1;
        return new GpuIdentity(
                "GPU-" + uuid,
                String.format(Locale.ROOT, "%013d", index + 1),
                index,
                isAlone ? first.pciDomain() : index / 8,
                isAlone ? first.pciBus() : 0x1A + 0x11 * (index % 8),
                isAlone ? first.pciDevice() : 0);
    }

    private static GpuIdentity captured(RecordedObject gpu, int index) {
        return new GpuIdentity(
                gpu.output("nvmlDeviceGetUUID", "uuid")
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .orElse("GPU-" + index),
                gpu.output("nvmlDeviceGetSerial", "serial")
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .orElse(""),
                gpu.output("nvmlDeviceGetMinorNumber", "minorNumber")
                        .filter(Long.class::isInstance)
                        .map(number -> ((Long) number).intValue())
                        .orElse(index),
                gpu.number("nvmlDeviceGetPciInfo_v3", "pci", "domain"),
                gpu.number("nvmlDeviceGetPciInfo_v3", "pci", "bus"),
                gpu.number("nvmlDeviceGetPciInfo_v3", "pci", "device"));
    }

    /**
     * How the driver writes its PCI address as one number: domain, bus and device. NVML calls that "PCI format"; which of
     * the possible ones, was not seen.
     */
    int gpuId() {
        return domain << 16 | bus << 8 | device;
    }

    String busId() {
        return String.format(Locale.ROOT, "%08X:%02X:%02X.0", domain, bus, device);
    }

    String legacyBusId() {
        return String.format(Locale.ROOT, "%04X:%02X:%02X.0", domain, bus, device);
    }
}
