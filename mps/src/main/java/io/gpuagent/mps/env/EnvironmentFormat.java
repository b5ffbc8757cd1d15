// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.env;

import io.gpuagent.model.UserText;
import java.util.Locale;

/** Who is to read the environment. */
public enum EnvironmentFormat {
    /** Lines for a POSIX shell. */
    SHELL,
    /** A drop-in of the unit that runs the client. */
    SYSTEMD,
    /** Options of {@code docker run}, each free of quotes, so that a shell may put them in as they are. */
    DOCKER;

    /**
     * Reads what a person writes.
     *
     * @param text a label
     * @return the format
     * @throws IllegalArgumentException with one sentence for the user
     */
    public static EnvironmentFormat parse(String text) {
        for (EnvironmentFormat format : values()) {
            if (format.label().equals(text)) {
                return format;
            }
        }
        throw new IllegalArgumentException(
                "there is no format " + UserText.quoted(text) + ": write shell, systemd or docker");
    }

    /**
     * The name in options and queries.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
