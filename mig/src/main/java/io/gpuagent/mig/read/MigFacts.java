// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.MigGpu;
import java.util.List;

/**
 * A GPU that can do MIG, at one moment.
 *
 * @param enabled whether MIG mode is on
 * @param pending whether it will be after the next reset or reboot
 * @param gpu the card and its instances
 * @param devices the MIG devices of those instances; in no order
 * @param sawStaleDevices whether NVML also listed MIG devices of instances that are gone: initialised anew it forgets them
 */
public record MigFacts(
        boolean enabled, boolean pending, MigGpu gpu, List<MigDeviceFacts> devices, boolean sawStaleDevices) {
    /** Takes a copy of the list. */
    public MigFacts {
        devices = List.copyOf(devices);
    }

    /**
     * The MIG devices of one GPU instance.
     *
     * @param gpuInstance its id
     * @return the devices
     */
    public List<MigDeviceFacts> devicesOf(int gpuInstance) {
        return devices.stream()
                .filter(device -> device.gpuInstance() == gpuInstance)
                .toList();
    }
}
