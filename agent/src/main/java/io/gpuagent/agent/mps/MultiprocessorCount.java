// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.agent.api.MigDevices;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.ReadingKeys;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How many multiprocessors a GPU has: its CUDA cores ({@code nvmlDeviceGetNumGpuCores}) over those of one multiprocessor
 * of its compute capability ("CUDA C++ Programming Guide", arithmetic instructions: 32-bit floating-point results per
 * clock cycle and multiprocessor). On an H200: 16,896 / 128 = 132.
 */
final class MultiprocessorCount {
    private static final Map<String, Integer> CORES = Map.ofEntries(
            Map.entry("7.0", 64),
            Map.entry("7.2", 64),
            Map.entry("7.5", 64),
            Map.entry("8.0", 64),
            Map.entry("8.6", 128),
            Map.entry("8.7", 128),
            Map.entry("8.9", 128),
            Map.entry("9.0", 128),
            Map.entry("10.0", 128),
            Map.entry("10.3", 128),
            Map.entry("12.0", 128),
            Map.entry("12.1", 128));

    private MultiprocessorCount() {}

    /** Empty where the cores were not read, or the capability is newer than this table. */
    static OptionalInt of(GpuSnapshot gpu) {
        return gpu.readings()
                .value(ReadingKeys.CORES)
                .flatMap(cores -> gpu.readings()
                        .value(ReadingKeys.COMPUTE_CAPABILITY)
                        .map(CORES::get)
                        .filter(each -> cores % each == 0)
                        .map(each -> OptionalInt.of(cores / each)))
                .orElse(OptionalInt.empty());
    }

    /** Those of the compute instance, which may be a part of its GPU instance; the driver tells them. */
    static OptionalInt of(MigDevices.Device mig) {
        return mig.compute().multiprocessors();
    }
}
