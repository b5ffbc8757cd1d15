// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which installation of Linux this is; see machine-id(5).
 *
 * @param text 32 hexadecimal digits
 */
public record MachineId(String text) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");

    /** Refuses what is no machine id. */
    public MachineId {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("no machine id: " + text);
        }
    }

    /**
     * Reads the id.
     *
     * @param host the machine
     * @return the id; empty where there is none, as in many containers and before the first boot is done
     */
    public static Optional<MachineId> read(HostView host) {
        try {
            String text = Files.readString(host.path("/etc/machine-id"), StandardCharsets.US_ASCII)
                    .strip();
            return FORM.matcher(text).matches() ? Optional.of(new MachineId(text)) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
