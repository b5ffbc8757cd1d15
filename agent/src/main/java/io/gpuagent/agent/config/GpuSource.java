// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/** Which GPUs an agent or a command reads. */
public sealed interface GpuSource {
    /**
     * The machine's, through the driver's NVML.
     *
     * @param library the library's file; empty to look in the usual places
     */
    record Driver(Optional<Path> library) implements GpuSource {}

    /**
     * Simulated ones.
     *
     * @param profile which, as {@code --simulate} takes it: {@code h200}, {@code h200x8} or the path of a description
     * @param scenario what happens to them: the absolute path of a file, or the bare name of a scenario that is shipped
     */
    record Simulated(String profile, Optional<Path> scenario) implements GpuSource {}
}
