// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGetKeyRotationThresholdInfo_v1_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeSystemCaps_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeSystemState_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlSystemConfComputeSettings_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Confidential computing, as far as it is one setting for all GPUs of a machine. */
public final class ConfidentialNode {
    private final Calls calls;

    ConfidentialNode(Calls calls) {
        this.calls = calls;
    }

    /**
     * What CPU and GPUs can do (nvmlSystemGetConfComputeCapabilities).
     *
     * @return both
     */
    public Answer<Capabilities> capabilities() {
        return Structs.plain(
                calls,
                NvmlFunction.nvmlSystemGetConfComputeCapabilities,
                nvmlConfComputeSystemCaps_t,
                out -> new Capabilities(Coded.of(out.s32("cpuCaps"), Cpu.class), out.flag("gpusCaps")));
    }

    /**
     * What is on (nvmlSystemGetConfComputeSettings; in older drivers nvmlSystemGetConfComputeState, which does not tell
     * how several GPUs work together).
     *
     * @return the settings
     */
    public Answer<Settings> settings() {
        return Versions.newest(List.of(
                () -> Structs.versioned(
                        calls,
                        NvmlFunction.nvmlSystemGetConfComputeSettings,
                        nvmlSystemConfComputeSettings_v1_t,
                        1,
                        out -> settings(out, Optional.of(Coded.of(out.s32("multiGpuMode"), MultiGpu.class)))),
                () -> Structs.plain(
                        calls,
                        NvmlFunction.nvmlSystemGetConfComputeState,
                        nvmlConfComputeSystemState_t,
                        out -> settings(out, Optional.empty()))));
    }

    private static Settings settings(Struct out, Optional<Coded<MultiGpu>> multiGpu) {
        return new Settings(
                Coded.of(out.s32("environment"), Environment.class),
                out.flag("ccFeature"),
                out.flag("devToolsMode"),
                multiGpu);
    }

    /**
     * Whether the GPUs accept work (nvmlSystemGetConfComputeGpusReadyState).
     *
     * @return true where they do
     */
    public Answer<Boolean> acceptsWork() {
        NvmlFunction function = NvmlFunction.nvmlSystemGetConfComputeGpusReadyState;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        return Queries.answer(
                function, calls.call(function, out), out, o -> new Answer.Value<>(o.get(JAVA_INT, 0) != 0));
    }

    /**
     * How far an attacker may get before keys are rotated (nvmlSystemGetConfComputeKeyRotationThresholdInfo), on Hopper
     * and newer.
     *
     * @return the attacker's advantage, 50 to 65
     */
    public Answer<Long> keyRotationThreshold() {
        return Structs.versioned(
                calls,
                NvmlFunction.nvmlSystemGetConfComputeKeyRotationThresholdInfo,
                nvmlConfComputeGetKeyRotationThresholdInfo_v1_t,
                1,
                out -> out.u64("attackerAdvantage"));
    }

    /** NVML_CC_SYSTEM_CPU_CAPS_*. */
    public enum Cpu implements CEnum {
        /** Nothing. */
        NONE(0),
        /** AMD SEV. */
        AMD_SEV(1),
        /** Intel TDX. */
        INTEL_TDX(2),
        /** AMD SEV-SNP. */
        AMD_SEV_SNP(3),
        /** AMD SNP with a virtual top of memory. */
        AMD_SNP_VTOM(4);

        private final int code;

        Cpu(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** NVML_CC_SYSTEM_ENVIRONMENT_*. */
    public enum Environment implements CEnum {
        /** None. */
        UNAVAILABLE(0),
        /** Simulated. */
        SIM(1),
        /** In production. */
        PROD(2);

        private final int code;

        Environment(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** NVML_CC_SYSTEM_MULTIGPU_*. */
    public enum MultiGpu implements CEnum {
        /** Each alone. */
        NONE(0),
        /** Over protected PCI Express. */
        PROTECTED_PCIE(1),
        /** Over encrypted NVLink. */
        NVLE(2);

        private final int code;

        MultiGpu(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /**
     * What the machine can do.
     *
     * @param cpu the CPU
     * @param gpus whether the GPUs can
     */
    public record Capabilities(Coded<Cpu> cpu, boolean gpus) {}

    /**
     * What is on.
     *
     * @param environment in which environment
     * @param isOn whether confidential computing is on
     * @param hasDevTools whether tools for developers may look in
     * @param multiGpu how several GPUs work together; empty where the driver is too old to tell
     */
    public record Settings(
            Coded<Environment> environment, boolean isOn, boolean hasDevTools, Optional<Coded<MultiGpu>> multiGpu) {}
}
