// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.PowerLayouts.nvmlWorkloadPowerProfileCurrentProfiles_v1_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlWorkloadPowerProfileProfilesInfo_v1_t;

import io.gpuagent.nvml.internal.Handle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Power profiles for kinds of work, on Blackwell and newer. */
public final class WorkloadProfiles {
    private final Handle device;

    WorkloadProfiles(Handle device) {
        this.device = device;
    }

    /**
     * The profiles that this GPU has (nvmlDeviceWorkloadPowerProfileGetProfilesInfo).
     *
     * @return the profiles in the order of their indices
     */
    public Answer<List<Profile>> available() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceWorkloadPowerProfileGetProfilesInfo,
                nvmlWorkloadPowerProfileProfilesInfo_v1_t,
                1,
                WorkloadProfiles::profiles);
    }

    private static List<Profile> profiles(Struct info) {
        BitSet indices = info.mask("perfProfilesMask");
        List<Struct> all = info.list("perfProfile", Integer.MAX_VALUE, profile -> profile);
        List<Profile> available = new ArrayList<>();
        for (int i = indices.nextSetBit(0); i >= 0 && i < all.size(); i = indices.nextSetBit(i + 1)) {
            Struct profile = all.get(i);
            available.add(new Profile(
                    i,
                    profile.coded("profileId", Kind.class),
                    profile.u32("priority"),
                    profile.mask("conflictingMask")));
        }
        return available;
    }

    /**
     * Which profiles hold now (nvmlDeviceWorkloadPowerProfileGetCurrentProfiles).
     *
     * @return their indices
     */
    public Answer<Current> current() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceWorkloadPowerProfileGetCurrentProfiles,
                nvmlWorkloadPowerProfileCurrentProfiles_v1_t,
                1,
                profiles -> new Current(
                        profiles.mask("perfProfilesMask"),
                        profiles.mask("requestedProfilesMask"),
                        profiles.mask("enforcedProfilesMask")));
    }

    /**
     * A profile.
     *
     * @param index its place in the masks
     * @param kind for what work
     * @param priority the lower, the sooner it is chosen
     * @param conflicts indices of those that cannot hold together with it
     */
    public record Profile(int index, Coded<Kind> kind, long priority, BitSet conflicts) {}

    /**
     * Indices of profiles.
     *
     * @param available that this GPU has
     * @param requested that were asked for
     * @param enforced that hold, after arbitration
     */
    public record Current(BitSet available, BitSet requested, BitSet enforced) {}

    /** {@code nvmlPowerProfileType_t}. */
    public enum Kind implements CEnum {
        /** Most performance. */
        MAX_P(0),
        /** Most performance per watt. */
        MAX_Q(1),
        /** Compute. */
        COMPUTE(2),
        /** Bound by memory. */
        MEMORY_BOUND(3),
        /** Network. */
        NETWORK(4),
        /** Balanced. */
        BALANCED(5),
        /** Inference of large language models. */
        LLM_INFERENCE(6),
        /** Training of large language models. */
        LLM_TRAINING(7),
        /** NVML_POWER_PROFILE_RBM. */
        RBM(8),
        /** NVML_POWER_PROFILE_DCPCIE. */
        DCPCIE(9),
        /** Sparse matrices on tensor cores. */
        HMMA_SPARSE(10),
        /** Dense matrices on tensor cores. */
        HMMA_DENSE(11),
        /** NVML_POWER_PROFILE_SYNC_BALANCED. */
        SYNC_BALANCED(12),
        /** High-performance computing. */
        HPC(13),
        /** MIG. */
        MIG(14);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
