// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;

/**
 * Tells loads of the kernel module by the boot's id and the inode of {@code /sys/module/nvidia}, which the kernel makes
 * anew with each load (kernfs numbers its nodes one after the other).
 *
 * @param host the machine
 */
public record DriverLoads(HostView host) implements MigMachine.Loads {
    @Override
    public Optional<String> current() {
        try {
            String boot = Files.readString(host.path("/proc/sys/kernel/random/boot_id"), StandardCharsets.US_ASCII)
                    .strip();
            Object inode = Files.getAttribute(host.path("/sys/module/nvidia"), "unix:ino");
            return boot.matches("[0-9a-f-]{36}") ? Optional.of(boot + "/" + inode) : Optional.empty();
        } catch (IOException notLoaded) {
            return Optional.empty();
        }
    }
}
