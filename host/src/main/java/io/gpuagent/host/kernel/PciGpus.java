// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PciAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** NVIDIA's GPUs that the PCI bus has and that are left to NVIDIA's driver, whether or not it drives them. */
public final class PciGpus {
    private static final String NVIDIA = "0x10de";
    /** Display controllers: VGA 0x0300, 3D 0x0302. */
    private static final String DISPLAY = "0x03";

    private static final String DRIVER = "nvidia";

    private PciGpus() {}

    /**
     * Looks at /sys/bus/pci/devices.
     *
     * @param host the machine
     * @return their addresses in order; empty where the bus cannot be seen, which is not the same as no GPU
     */
    public static Optional<NavigableSet<PciAddress>> scan(HostView host) {
        NavigableSet<PciAddress> gpus = new TreeSet<>(Comparator.comparingInt(PciAddress::domain)
                .thenComparingInt(PciAddress::bus)
                .thenComparingInt(PciAddress::device));
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(host.path("/sys/bus/pci/devices"))) {
            for (Path device : devices) {
                if (text(device.resolve("vendor")).equals(NVIDIA)
                        && text(device.resolve("class")).startsWith(DISPLAY)
                        && isLeftToNvidia(device)) {
                    address(String.valueOf(device.getFileName())).ifPresent(gpus::add);
                }
            }
            return Optional.of(gpus);
        } catch (IOException unseen) {
            return Optional.empty();
        }
    }

    /** One that was given to vfio-pci or another driver is not ours to look after. */
    private static boolean isLeftToNvidia(Path device) {
        Path driver = device.resolve("driver");
        try {
            return !Files.exists(driver)
                    || DRIVER.equals(String.valueOf(driver.toRealPath().getFileName()));
        } catch (IOException gone) {
            return false;
        }
    }

    /** {@code 0000:3b:00.0}. */
    private static Optional<PciAddress> address(String name) {
        String[] parts = name.split("[:.]", -1);
        try {
            return parts.length == 4
                    ? Optional.of(new PciAddress(
                            Integer.parseInt(parts[0], 16),
                            Integer.parseInt(parts[1], 16),
                            Integer.parseInt(parts[2], 16)))
                    : Optional.empty();
        } catch (NumberFormatException other) {
            return Optional.empty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
