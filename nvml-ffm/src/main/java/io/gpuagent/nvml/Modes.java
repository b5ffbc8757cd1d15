// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlDeviceAddressingMode_v1_t;

import io.gpuagent.nvml.internal.Handle;

/** What the GPU is set to. Nothing here sets it. */
public final class Modes {
    private final Handle device;

    Modes(Handle device) {
        this.device = device;
    }

    /**
     * Whether MIG is on (nvmlDeviceGetMigMode).
     *
     * @return now and after the next reset; NOT_SUPPORTED on GPUs that cannot do MIG
     */
    public Answer<Mode> mig() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetMigMode).map(Mode::of);
    }

    /**
     * Whether the driver keeps the GPU initialised without clients (nvmlDeviceGetPersistenceMode).
     *
     * @return true where it does
     */
    public Answer<Boolean> persistence() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPersistenceMode).map(mode -> mode != 0);
    }

    /**
     * Whether programs on the GPU can use memory that the CPU allocated (nvmlDeviceGetAddressingMode).
     *
     * @return how; NOT_SUPPORTED before Turing
     */
    public Answer<Coded<Addressing>> addressing() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetAddressingMode,
                nvmlDeviceAddressingMode_v1_t,
                1,
                mode -> mode.coded("value", Addressing.class));
    }

    /**
     * What this GPU is to a hypervisor (nvmlDeviceGetVirtualizationMode).
     *
     * @return the mode
     */
    public Answer<Coded<Virtualization>> virtualization() {
        return Queries.coded(device, NvmlFunction.nvmlDeviceGetVirtualizationMode, Virtualization.class);
    }

    /**
     * Whether a display is initialised on it (nvmlDeviceGetDisplayActive), such as an X server's, with or without a monitor.
     *
     * @return true where one is
     */
    public Answer<Boolean> isDisplayActive() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetDisplayActive);
    }

    /**
     * Whether a monitor is connected to it (nvmlDeviceGetDisplayMode). An H200, which has no connector, says yes.
     *
     * @return true where one is
     */
    public Answer<Boolean> isDisplayConnected() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetDisplayMode);
    }

    /**
     * Whether only root may change something (nvmlDeviceGetAPIRestriction).
     *
     * @param api what
     * @return true where only root may
     */
    public Answer<Boolean> isRestricted(RestrictedApi api) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetAPIRestriction, api.code())
                .map(state -> state != 0);
    }

    /**
     * The operation mode of some Kepler cards (nvmlDeviceGetGpuOperationMode).
     *
     * @return now and after the next reboot; NOT_SUPPORTED on all later ones
     */
    public Answer<OperationModes> operation() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetGpuOperationMode)
                .map(pair -> new OperationModes(
                        Coded.of((int) pair.first(), OperationMode.class),
                        Coded.of((int) pair.second(), OperationMode.class)));
    }

    /**
     * Who may open contexts (nvmlDeviceGetComputeMode).
     *
     * @return the mode
     */
    public Answer<Coded<ComputeMode>> compute() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetComputeMode)
                .map(mode -> Coded.of(mode.intValue(), ComputeMode.class));
    }

    /**
     * An operation mode and what it becomes.
     *
     * @param current now
     * @param pending after the next reboot
     */
    public record OperationModes(Coded<OperationMode> current, Coded<OperationMode> pending) {}

    /** {@code nvmlDeviceAddressingModeType_t}. */
    public enum Addressing implements CEnum {
        /** Not at all. */
        NONE(0),
        /** By heterogeneous memory management: the driver mirrors the CPU's page tables. */
        HMM(1),
        /** By address translation services: CPU and GPU use the same page tables. */
        ATS(2);

        private final int code;

        Addressing(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlGpuVirtualizationMode_t}. */
    public enum Virtualization implements CEnum {
        /** Bare metal. */
        NONE(0),
        /** It is passed through to this virtual machine. */
        PASSTHROUGH(1),
        /** It is a vGPU of this virtual machine. */
        VGPU(2),
        /** This is a hypervisor that makes vGPUs of it. */
        HOST_VGPU(3),
        /** This is a hypervisor that shares it as vSGA. */
        HOST_VSGA(4);

        private final int code;

        Virtualization(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlRestrictedAPI_t}. */
    public enum RestrictedApi implements CEnum {
        /** Application clocks; deprecated. */
        SET_APPLICATION_CLOCKS(0),
        /** Auto-boosted clocks. */
        SET_AUTO_BOOSTED_CLOCKS(1);

        private final int code;

        RestrictedApi(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlGpuOperationMode_t}. */
    public enum OperationMode implements CEnum {
        /** Everything is on. */
        ALL_ON(0),
        /** Compute only. */
        COMPUTE(1),
        /** Graphics, with slow double precision. */
        LOW_DP(2);

        private final int code;

        OperationMode(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
