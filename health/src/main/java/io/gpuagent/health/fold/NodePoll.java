// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.PciAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What no GPU owns, as it was when somebody looked. What is empty could not be seen, and nothing follows from it.
 *
 * @param driver whether NVML can be used, and its version
 * @param module version of the loaded kernel module
 * @param library version of the NVML library that a program started now would load
 * @param onBus the GPUs that the PCI bus has and that are left to NVIDIA's driver
 * @param inNvml UUIDs of the GPUs that NVML counts; empty while it cannot be asked
 * @param units units that should run, by name
 * @param mpsServers processes of MPS servers, with the id of their daemon
 */
public record NodePoll(
        DriverState driver,
        Optional<String> module,
        Optional<String> library,
        Optional<Set<PciAddress>> onBus,
        Optional<Set<String>> inNvml,
        Map<String, UnitActivity> units,
        Map<Long, String> mpsServers) {
    /** Takes copies of the collections. */
    public NodePoll {
        onBus = onBus.map(Set::copyOf);
        inNvml = inNvml.map(Set::copyOf);
        units = Map.copyOf(units);
        mpsServers = Map.copyOf(mpsServers);
    }
}
