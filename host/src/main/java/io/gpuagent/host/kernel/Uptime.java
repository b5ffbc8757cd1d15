// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;

/** How long the machine has been up. */
final class Uptime {
    private static final int NANOS_DIGITS = 9;

    private Uptime() {}

    /** Reads /proc/uptime: {@code 12345.67 54321.00}; empty where it cannot be read. */
    static Optional<Duration> read(HostView host) {
        try {
            String text = Files.readString(host.path("/proc/uptime"), StandardCharsets.US_ASCII);
            int end = text.indexOf(' ');
            String[] parts =
                    text.substring(0, end < 0 ? text.length() : end).strip().split("\\.", 2);
            String fraction = (parts.length > 1 ? parts[1] : "") + "0".repeat(NANOS_DIGITS);
            return Optional.of(
                    Duration.ofSeconds(Long.parseLong(parts[0]), Long.parseLong(fraction.substring(0, NANOS_DIGITS))));
        } catch (IOException | NumberFormatException unreadable) {
            return Optional.empty();
        }
    }
}
