// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.Holder;
import io.gpuagent.model.GpuIdentity;
import java.util.List;

/** What the host knows about those who use instances, beside NVML's lists of processes. */
public interface HostClaims {
    /** Knows nothing. */
    HostClaims NONE = new HostClaims() {};

    /**
     * Who a process is.
     *
     * @param pid its id, as NVML gave it
     * @return the holder
     */
    default Holder holder(long pid) {
        return Holder.process(pid, "");
    }

    /**
     * Whether a process is the server of an MPS daemon, which is told as {@link Claim.MpsDaemon} and not as somebody who
     * runs there.
     *
     * @param pid its id
     * @return whether it is
     */
    default boolean isMpsServer(long pid) {
        return false;
    }

    /**
     * Further claims on a GPU instance: capability nodes that are held open, devices that are named in environments,
     * containers, MPS daemons.
     *
     * @param gpu the GPU
     * @param gpuInstance the id of the GPU instance
     * @param devices its MIG devices
     * @return the claims
     */
    default List<Claim> of(GpuIdentity gpu, int gpuInstance, List<MigDeviceFacts> devices) {
        return List.of();
    }
}
