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
        return OutStruct.of(nvmlConfComputeSystemCaps_t)
                .ask(
                        calls,
                        NvmlFunction.nvmlSystemGetConfComputeCapabilities,
                        out -> new Capabilities(
                                Queries.coded(out.s32("cpuCaps"), Cpu.values(), Cpu::ordinal), out.flag("gpusCaps")));
    }

    /**
     * What is on (nvmlSystemGetConfComputeSettings; in older drivers nvmlSystemGetConfComputeState, which does not tell
     * how several GPUs work together).
     *
     * @return the settings
     */
    public Answer<Settings> settings() {
        Answer<Settings> settings = OutStruct.versioned(nvmlSystemConfComputeSettings_v1_t, 1)
                .ask(
                        calls,
                        NvmlFunction.nvmlSystemGetConfComputeSettings,
                        out -> settings(
                                out,
                                Optional.of(
                                        Queries.coded(out.s32("multiGpuMode"), MultiGpu.values(), MultiGpu::ordinal))));
        return Versions.older(settings)
                ? OutStruct.of(nvmlConfComputeSystemState_t)
                        .ask(calls, NvmlFunction.nvmlSystemGetConfComputeState, out -> settings(out, Optional.empty()))
                : settings;
    }

    private static Settings settings(OutStruct out, Optional<Coded<MultiGpu>> multiGpu) {
        return new Settings(
                Queries.coded(out.s32("environment"), Environment.values(), Environment::ordinal),
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
                function, calls.call(function, out), out, o -> new Answer.Value<>(Queries.enabled(o.get(JAVA_INT, 0))));
    }

    /**
     * How far an attacker may get before keys are rotated (nvmlSystemGetConfComputeKeyRotationThresholdInfo), on Hopper
     * and newer.
     *
     * @return the attacker's advantage, 50 to 65
     */
    public Answer<Long> keyRotationThreshold() {
        return OutStruct.versioned(nvmlConfComputeGetKeyRotationThresholdInfo_v1_t, 1)
                .ask(
                        calls,
                        NvmlFunction.nvmlSystemGetConfComputeKeyRotationThresholdInfo,
                        out -> out.u64("attackerAdvantage"));
    }

    /** NVML_CC_SYSTEM_CPU_CAPS_*, in its order. */
    public enum Cpu {
        /** Nothing. */
        NONE,
        /** AMD SEV. */
        AMD_SEV,
        /** Intel TDX. */
        INTEL_TDX,
        /** AMD SEV-SNP. */
        AMD_SEV_SNP,
        /** AMD SNP with a virtual top of memory. */
        AMD_SNP_VTOM
    }

    /** NVML_CC_SYSTEM_ENVIRONMENT_*, in its order. */
    public enum Environment {
        /** None. */
        UNAVAILABLE,
        /** Simulated. */
        SIM,
        /** In production. */
        PROD
    }

    /** NVML_CC_SYSTEM_MULTIGPU_*, in its order. */
    public enum MultiGpu {
        /** Each alone. */
        NONE,
        /** Over protected PCI Express. */
        PROTECTED_PCIE,
        /** Over encrypted NVLink. */
        NVLE
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
