// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;

/**
 * Which start of the machine this is; with a record's sequence number it names the record for good.
 *
 * @param text a UUID, random for each boot
 */
public record BootId(String text) {
    private static final int LENGTH = 36;

    /** Refuses what is no boot id. */
    public BootId {
        if (text.length() != LENGTH || text.chars().anyMatch(c -> c != '-' && Character.digit(c, 16) < 0)) {
            throw new IllegalArgumentException("no boot id: " + text);
        }
    }

    /**
     * Reads it.
     *
     * @param host the machine
     * @return the id; empty where the kernel does not tell
     */
    public static Optional<BootId> read(HostView host) {
        try {
            return Optional.of(
                    new BootId(Files.readString(host.path("/proc/sys/kernel/random/boot_id"), StandardCharsets.US_ASCII)
                            .strip()));
        } catch (IOException | IllegalArgumentException absent) {
            return Optional.empty();
        }
    }
}
