// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of confidential computing and memory encryption. */
public final class ConfidentialComputeLayouts {
    public static final StructLayout nvmlConfComputeSystemCaps_t =
            struct("nvmlConfComputeSystemCaps_t", u32("cpuCaps"), u32("gpusCaps"));

    public static final StructLayout nvmlConfComputeSystemState_t =
            struct("nvmlConfComputeSystemState_t", u32("environment"), u32("ccFeature"), u32("devToolsMode"));

    public static final StructLayout nvmlSystemConfComputeSettings_v1_t = struct(
            "nvmlSystemConfComputeSettings_v1_t",
            u32("version"),
            u32("environment"),
            u32("ccFeature"),
            u32("devToolsMode"),
            u32("multiGpuMode"));

    public static final StructLayout nvmlConfComputeMemSizeInfo_t =
            struct("nvmlConfComputeMemSizeInfo_t", u64("protectedMemSizeKib"), u64("unprotectedMemSizeKib"));

    /** The arrays have NVML_GPU_CERT_CHAIN_SIZE and NVML_GPU_ATTESTATION_CERT_CHAIN_SIZE bytes. */
    public static final StructLayout nvmlConfComputeGpuCertificate_t = struct(
            "nvmlConfComputeGpuCertificate_t",
            u32("certChainSize"),
            u32("attestationCertChainSize"),
            chars(0x1000, "certChain"),
            chars(0x1400, "attestationCertChain"));

    /** Sizes: NVML_CC_GPU_CEC_NONCE_SIZE, NVML_CC_GPU_ATTESTATION_REPORT_SIZE, …CEC_ATTESTATION_REPORT_SIZE. */
    public static final StructLayout nvmlConfComputeGpuAttestationReport_t = struct(
            "nvmlConfComputeGpuAttestationReport_t",
            u32("isCecAttestationReportPresent"),
            u32("attestationReportSize"),
            u32("cecAttestationReportSize"),
            chars(0x20, "nonce"),
            chars(0x2000, "attestationReport"),
            chars(0x1000, "cecAttestationReport"));

    public static final StructLayout nvmlConfComputeGetKeyRotationThresholdInfo_v1_t =
            struct("nvmlConfComputeGetKeyRotationThresholdInfo_v1_t", u32("version"), u64("attackerAdvantage"));

    public static final StructLayout nvmlDramEncryptionInfo_v1_t =
            struct("nvmlDramEncryptionInfo_v1_t", u32("version"), u32("encryptionState"));

    private ConfidentialComputeLayouts() {}
}
