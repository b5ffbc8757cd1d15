// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.Holder;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.OptionalInt;

/** What the host knows about those who use instances, beside NVML's lists of processes. */
public interface HostClaims {
    /** Knows nothing. */
    HostClaims NONE = new HostClaims() {};

    /**
     * Looks at the host for one reading.
     *
     * @param sight what NVML tells of the GPU
     * @return what is known then, to be asked during that reading alone
     */
    default HostClaims look(Sight sight) {
        return this;
    }

    /**
     * What NVML tells of a GPU, for a look at the host.
     *
     * @param gpu the GPU
     * @param minor the N of {@code /dev/nvidiaN}; empty where it is not known
     * @param clients programs that are connected to MPS servers
     */
    record Sight(GpuIdentity gpu, OptionalInt minor, List<MpsClient> clients) {
        /** Takes a copy. */
        public Sight {
            clients = List.copyOf(clients);
        }
    }

    /**
     * A program that is connected to an MPS server.
     *
     * @param pid its id
     * @param gpuInstance the id of the GPU instance
     * @param computeInstance the id of the compute instance; empty where NVML does not tell
     */
    record MpsClient(long pid, int gpuInstance, OptionalInt computeInstance) {}

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
