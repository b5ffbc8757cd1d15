// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.Optional;

/**
 * Whether a process names a MIG device: by its UUID or a beginning of it, as CUDA takes it (CUDA programming guide,
 * CUDA_VISIBLE_DEVICES), or as drivers before 470 write it, {@code MIG-GPU-.../GI/CI}. {@code all} and numbers name no
 * device: who was given which is seen by the nodes in the container.
 */
final class DeviceNames {
    private static final List<String> VARIABLES = List.of("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES");
    private static final String PREFIX = "MIG-";

    private DeviceNames() {}

    /** The variable that names the device; empty where none does. */
    static Optional<String> variable(GpuEnvironment environment, GpuIdentity gpu, MigDeviceFacts device) {
        String old = PREFIX + gpu.uuid() + "/" + device.gpuInstance() + "/" + device.computeInstance();
        return VARIABLES.stream()
                .filter(variable -> {
                    String value = environment.variables().getOrDefault(variable, "");
                    return List.of(value.split(",", -1)).stream()
                            .map(String::strip)
                            .anyMatch(name -> name.equals(old) || isBeginning(name, device.uuid()));
                })
                .findFirst();
    }

    private static boolean isBeginning(String name, String uuid) {
        return name.length() > PREFIX.length() && name.startsWith(PREFIX) && uuid.startsWith(name);
    }
}
