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
     * @param multiprocessors how many it has; a MIG device those of its instance
     * @param memoryBytes how much memory it has; a MIG device that of its instance
     * @param mpsClients device memory in bytes of each MPS client, by pid ({@code
     *     nvmlDeviceGetMPSComputeRunningProcesses}); empty where it cannot be listed, and an empty value where the memory
     *     is not told
     * @param computing the same of all processes with a compute context, MPS servers too ({@code
     *     nvmlDeviceGetComputeRunningProcesses})
     * @param computeMode who may open contexts on it ({@code nvmlDeviceGetComputeMode}); empty for a MIG device
     */
    record Device(
            Optional<String> capability,
            OptionalInt multiprocessors,
            OptionalLong memoryBytes,
            Optional<Map<Long, OptionalLong>> mpsClients,
            Optional<Map<Long, OptionalLong>> computing,
            Optional<ComputeModes.Mode> computeMode) {
        /** Takes copies. */
        public Device {
            mpsClients = mpsClients.map(Map::copyOf);
            computing = computing.map(Map::copyOf);
        }
    }

    /**
     * A device as it was in the newest snapshot.
     *
     * @param uuid UUID of a GPU or MIG device, as {@code nvidia-smi -L} has it
     * @return the device; empty where there is none, or none is known yet
     */
    Optional<Device> device(String uuid);

    /**
     * Whether {@link #device} knows all whole GPUs there are, so that another UUID of one is a mistake.
     *
     * @return false before the first snapshot
     */
    default boolean isComplete() {
        return false;
    }

    /**
     * Whether {@link #device} knows all MIG devices, too, or there can be none. Their multiprocessors and memory are those
     * of the instance ({@code nvmlDeviceGetAttributes}: multiprocessorCount, memorySizeMB).
     *
     * @return false where they are not read
     */
    default boolean listsMigDevices() {
        return false;
    }
}
