// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.env;

import java.util.stream.Collectors;

/** Writes the environment of a client. */
public final class EnvironmentText {
    private EnvironmentText() {}

    /**
     * The text, complete and ready to be used.
     *
     * @param setup what the client needs
     * @param format who reads it
     * @return lines, each with a line break
     */
    public static String of(ClientSetup setup, EnvironmentFormat format) {
        return switch (format) {
            case SHELL -> lines(setup, "export ");
            case SYSTEMD -> "[Service]\n" + lines(setup, "Environment=");
            case DOCKER -> "-v " + setup.pipe() + ":" + setup.pipe() + "\n--ipc=host\n" + lines(setup, "-e ");
        };
    }

    /** No value needs quotes: paths were checked, UUIDs and limits consist of letters, digits and {@code - = , .}. */
    private static String lines(ClientSetup setup, String before) {
        return setup.variables().entrySet().stream()
                .map(variable -> before + variable.getKey() + "=" + variable.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
