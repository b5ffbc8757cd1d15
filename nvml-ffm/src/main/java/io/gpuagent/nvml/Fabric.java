// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.LinkLayouts.nvmlC2cModeInfo_v1_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_v2_t;
import static io.gpuagent.nvml.internal.LinkLayouts.nvmlGpuFabricInfo_v3_t;

import io.gpuagent.nvml.internal.Handle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The NVLink fabric of NVSwitch systems, and C2C, the link to the CPU of the same module. */
public final class Fabric {
    private final Handle device;

    Fabric(Handle device) {
        this.device = device;
    }

    /**
     * How the GPU stands in the fabric (nvmlDeviceGetGpuFabricInfoV, version 3, else 2; before them
     * nvmlDeviceGetGpuFabricInfo, which tells nothing of health).
     *
     * @return the state; NOT_SUPPORTED before Hopper
     */
    public Answer<Membership> membership() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetGpuFabricInfoV;
        return Versions.newest(List.of(
                () -> Structs.versioned(
                        device,
                        function,
                        nvmlGpuFabricInfo_v3_t,
                        3,
                        out -> membership(out, Optional.of(health(out)), summary(out.u8("healthSummary")))),
                () -> Structs.versioned(
                        device,
                        function,
                        nvmlGpuFabricInfo_v2_t,
                        2,
                        out -> membership(out, Optional.of(health(out)), Optional.empty())),
                () -> Structs.plain(
                        device,
                        NvmlFunction.nvmlDeviceGetGpuFabricInfo,
                        nvmlGpuFabricInfo_t,
                        out -> membership(out, Optional.empty(), Optional.empty()))));
    }

    private static Membership membership(Struct out, Optional<Health> health, Optional<Coded<Summary>> summary) {
        Coded<State> state = Coded.of(out.u8("state"), State.class);
        // nvml.h: the status says something only once the probe is completed; so does what the probe found.
        boolean isCompleted = state.known().filter(State.COMPLETED::equals).isPresent();
        return new Membership(
                state,
                isCompleted ? Optional.of(new NvmlReturn(out.s32("status"))) : Optional.empty(),
                uuid(out.bytes("clusterUuid", Long.MAX_VALUE)),
                isCompleted ? OptionalLong.of(out.u32("cliqueId")) : OptionalLong.empty(),
                health,
                summary);
    }

    /** All zeros where the GPU is in no cluster. */
    private static Optional<UUID> uuid(ByteBuffer bytes) {
        UUID uuid = new UUID(bytes.getLong(0), bytes.getLong(Long.BYTES));
        return uuid.equals(new UUID(0, 0)) ? Optional.empty() : Optional.of(uuid);
    }

    /** NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_* and _WIDTH_*. */
    private static Health health(Struct out) {
        int mask = out.s32("healthMask");
        int configuration = mask >>> 8 & 0xF;
        return new Health(
                flag(mask),
                flag(mask >>> 2),
                flag(mask >>> 4),
                flag(mask >>> 6),
                configuration == 0 ? Optional.empty() : Optional.of(Coded.of(configuration, Configuration.class)));
    }

    /** Two bits: 0 not supported, 1 true, 2 false. */
    private static Optional<Boolean> flag(int mask) {
        return switch (mask & 3) {
            case 1 -> Optional.of(true);
            case 2 -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Coded<Summary>> summary(int summary) {
        return summary == 0 ? Optional.empty() : Optional.of(Coded.of(summary, Summary.class));
    }

    /**
     * Whether C2C is on (nvmlDeviceGetC2cModeInfoV).
     *
     * @return true where it is
     */
    public Answer<Boolean> isC2cOn() {
        return Structs.plain(
                device, NvmlFunction.nvmlDeviceGetC2cModeInfoV, nvmlC2cModeInfo_v1_t, out -> out.flag("isC2cEnabled"));
    }

    /** NVML_GPU_FABRIC_STATE_*: how far the GPU is with joining the fabric. */
    public enum State implements CEnum {
        /** It cannot join one. */
        NOT_SUPPORTED(0),
        /** It has not begun. */
        NOT_STARTED(1),
        /** It is at it: where that lasts, the fabric manager is to be looked at. */
        IN_PROGRESS(2),
        /** It is through; the status says how that went. */
        COMPLETED(3);

        private final int code;

        State(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_*. */
    public enum Configuration implements CEnum {
        /** Nothing is wrong with it. */
        CORRECT(1),
        /** The system GUID is wrong. */
        INCORRECT_SYSGUID(2),
        /** The chassis serial number is wrong. */
        INCORRECT_CHASSIS_SN(3),
        /** There is no partition. */
        NO_PARTITION(4),
        /** There are too few NVLinks. */
        INSUFFICIENT_NVLINKS(5),
        /** The GPU's firmware does not fit. */
        INCOMPATIBLE_GPU_FW(6),
        /** The location is invalid. */
        INVALID_LOCATION(7);

        private final int code;

        Configuration(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** NVML_GPU_FABRIC_HEALTH_SUMMARY_*. */
    public enum Summary implements CEnum {
        /** Healthy. */
        HEALTHY(1),
        /** Unhealthy. */
        UNHEALTHY(2),
        /** It works, with limited capacity. */
        LIMITED_CAPACITY(3);

        private final int code;

        Summary(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /**
     * How a GPU stands in the fabric ({@code nvmlGpuFabricInfoV_t}).
     *
     * @param state how far it is with joining
     * @param status how that went; empty before it is completed
     * @param cluster the cluster; empty where it is in none
     * @param clique the clique; empty before it is completed
     * @param health what is wrong; empty where the driver is too old to tell
     * @param summary whether anything is; empty where the driver is too old to tell, or does not support it
     */
    public record Membership(
            Coded<State> state,
            Optional<NvmlReturn> status,
            Optional<UUID> cluster,
            OptionalLong clique,
            Optional<Health> health,
            Optional<Coded<Summary>> summary) {}

    /**
     * Health of a GPU in the fabric (NVML_GPU_FABRIC_HEALTH_MASK_*). Each is empty where the driver does not support it.
     *
     * @param isBandwidthDegraded whether bandwidth is degraded
     * @param isRouteRecovering whether a route is being recovered
     * @param isRouteUnhealthy whether a route is unhealthy
     * @param isAccessTimeoutRecovering whether it recovers from an access timeout
     * @param configuration what is wrong with the configuration
     */
    public record Health(
            Optional<Boolean> isBandwidthDegraded,
            Optional<Boolean> isRouteRecovering,
            Optional<Boolean> isRouteUnhealthy,
            Optional<Boolean> isAccessTimeoutRecovering,
            Optional<Coded<Configuration>> configuration) {}
}
