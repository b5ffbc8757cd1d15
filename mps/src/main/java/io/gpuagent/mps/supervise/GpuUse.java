// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What NVML tells of devices, out of the agent's newest snapshot. Never asks the driver itself and never waits. */
public interface GpuUse {
    /** Nothing is known. */
    GpuUse UNKNOWN = _ -> Optional.empty();

    /**
     * A device.
     *
     * @param capability its CUDA compute capability, such as {@code 9.0} ({@code nvmlDeviceGetCudaComputeCapability})
     * @param multiprocessors how many it has
     * @param memoryBytes how much memory it has
     * @param mpsClients device memory in bytes of each MPS client, by pid ({@code
     *     nvmlDeviceGetMPSComputeRunningProcesses}); empty where it cannot be listed, and an empty value where the memory
     *     is not told
     * @param computing the same of all processes with a compute context, MPS servers too ({@code
     *     nvmlDeviceGetComputeRunningProcesses})
     */
    record Device(
            Optional<String> capability,
            OptionalInt multiprocessors,
            OptionalLong memoryBytes,
            Optional<Map<Long, OptionalLong>> mpsClients,
            Optional<Map<Long, OptionalLong>> computing) {
        /** Takes copies. */
        public Device {
            mpsClients = mpsClients.map(Map::copyOf);
            computing = computing.map(Map::copyOf);
        }
    }

    /**
     * A device as it was in the newest snapshot.
     *
     * @param uuid UUID of a GPU or MIG device
     * @return the device; empty where there is none, or none is known yet
     */
    Optional<Device> device(String uuid);

    /**
     * Whether {@link #device} knows all devices there are, so that another UUID is a mistake.
     *
     * @return false before the first snapshot
     */
    default boolean isComplete() {
        return false;
    }
}
