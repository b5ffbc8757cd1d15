// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.direct.ControlFolders;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the unit says on the helper's command line. Root writes the unit; nothing of a request comes here.
 *
 * @param folders where everything is written
 * @param agentUser the one user beside root that may ask
 * @param instance the instance of the unit, which names the peer's process
 * @param nvmlLibrary the NVML library, where it is not where the loader looks
 */
record HelperOptions(ControlFolders folders, String agentUser, Optional<String> instance, Optional<Path> nvmlLibrary) {
    private static final String RUNTIME = "--runtime-dir";
    private static final String STATE = "--state-dir";
    private static final String LOGS = "--log-dir";
    private static final String AGENT_USER = "--agent-user";
    private static final String INSTANCE = "--instance";
    private static final String NVML = "--nvml-library";
    private static final List<String> ALL = List.of(RUNTIME, STATE, LOGS, AGENT_USER, INSTANCE, NVML);

    /**
     * Reads the command line.
     *
     * @param arguments pairs of an option and its value
     * @return the options, the system's where they are not given
     * @throws IllegalArgumentException with one sentence
     */
    static HelperOptions parse(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
            String option = words.next();
            if (!ALL.contains(option) || !words.hasNext()) {
                throw new IllegalArgumentException("the option \"" + option
                        + "\" is unknown or has no value; there are " + String.join(", ", ALL) + ", each with a value");
            }
            given.put(option, words.next());
        }
        return new HelperOptions(
                new ControlFolders(
                        folder(given.getOrDefault(RUNTIME, "/run/gpu-agent")),
                        folder(given.getOrDefault(STATE, "/var/lib/gpu-agent")),
                        folder(given.getOrDefault(LOGS, "/var/log/gpu-agent"))),
                given.getOrDefault(AGENT_USER, "gpu-agent"),
                Optional.ofNullable(given.get(INSTANCE)),
                Optional.ofNullable(given.get(NVML)).map(HelperOptions::folder));
    }

    private static Path folder(String text) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException unspeakable) {
            // Told below.
        }
        throw new IllegalArgumentException("\"" + text + "\" is no absolute path");
    }
}
