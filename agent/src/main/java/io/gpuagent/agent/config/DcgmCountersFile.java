// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.exporters.DcgmCounters;
import java.nio.file.Path;

/** Reads a counters file of dcgm-exporter. */
public final class DcgmCountersFile {
    private DcgmCountersFile() {}

    /**
     * Reads a file.
     *
     * @param file the file
     * @return its choice, and what in it gives nothing
     * @throws ConfigException when it cannot be read, or chooses nothing at all
     */
    public static DcgmCounters.Parsed read(Path file) throws ConfigException {
        Problems problems = new Problems(file.toString());
        DcgmCounters.Parsed parsed = DcgmCounters.parse(ConfigText.read(file, problems));
        if (parsed.counters().fields().isEmpty()) {
            problems.add(
                    0,
                    0,
                    "it names no field that this agent reads, so that the page would be empty",
                    "write rows such as \"DCGM_FI_DEV_GPU_TEMP, gauge, GPU temperature (in C).\"");
        }
        problems.throwIfAny();
        return parsed;
    }

    /**
     * A warning as the log and {@code config check} show it.
     *
     * @param file the file
     * @param warning what of it gives nothing
     * @return one line
     */
    public static String line(Path file, DcgmCounters.Warning warning) {
        return file + ":" + warning.line() + ": " + Quoted.printable(warning.what());
    }
}
