// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The page with DCGM's names.
 *
 * @param counters the counters file that chooses its fields; empty for the usual ones
 * @param hostLabel the label that names the host; empty for none
 */
public record DcgmConfig(Optional<Path> counters, String hostLabel) {
    /** The usual fields, and the label as most dashboards spell it. */
    public static final DcgmConfig DEFAULT = new DcgmConfig(Optional.empty(), "Hostname");

    static String hostLabel(String text) throws BadValueException {
        return switch (text) {
            case "Hostname", "hostname" -> text;
            case "none" -> "";
            default ->
                throw new BadValueException(
                        Quoted.of(text) + " is no spelling of the label", "use Hostname, hostname or none");
        };
    }
}
