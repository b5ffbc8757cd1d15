// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuAttestationReport_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuCertificate_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeMemSizeInfo_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlDramEncryptionInfo_v1_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlMemory_t;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Confidential computing and memory encryption of a GPU; see also {@link ConfidentialNode}. */
public final class ConfidentialCompute {
    /** Bytes of a nonce: NVML_CC_GPU_CEC_NONCE_SIZE. */
    public static final int NONCE_BYTES = 32;

    private final Handle device;

    ConfidentialCompute(Handle device) {
        this.device = device;
    }

    /**
     * Sizes of protected and unprotected memory (nvmlDeviceGetConfComputeMemSizeInfo).
     *
     * @return both, KiB
     */
    public Answer<Sizes> sizes() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetConfComputeMemSizeInfo,
                nvmlConfComputeMemSizeInfo_t,
                out -> new Sizes(out.u64("protectedMemSizeKib"), out.u64("unprotectedMemSizeKib")));
    }

    /**
     * Use of protected memory (nvmlDeviceGetConfComputeProtectedMemoryUsage).
     *
     * @return bytes; all zero where confidential computing is off
     */
    public Answer<ProtectedMemory> protectedMemory() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetConfComputeProtectedMemoryUsage,
                nvmlMemory_t,
                out -> new ProtectedMemory(out.u64("total"), out.u64("free"), out.u64("used")));
    }

    /**
     * The GPU's certificates (nvmlDeviceGetConfComputeGpuCertificate).
     *
     * @return both chains; an H200 outside confidential computing answers UNKNOWN
     */
    public Answer<Certificates> certificates() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetConfComputeGpuCertificate,
                nvmlConfComputeGpuCertificate_t,
                out -> new Certificates(
                        out.bytes("certChain", out.u32("certChainSize")),
                        out.bytes("attestationCertChain", out.u32("attestationCertChainSize"))));
    }

    /**
     * A report that attests the GPU's state (nvmlDeviceGetConfComputeGpuAttestationReport).
     *
     * @param nonce {@value #NONCE_BYTES} bytes that the report repeats
     * @return the report
     * @throws IllegalArgumentException when the nonce has another size
     */
    public Answer<Attestation> attest(ByteBuffer nonce) {
        if (nonce.remaining() != NONCE_BYTES) {
            throw new IllegalArgumentException(
                    "a nonce has " + NONCE_BYTES + " bytes, this one has " + nonce.remaining());
        }
        NvmlFunction function = NvmlFunction.nvmlDeviceGetConfComputeGpuAttestationReport;
        Struct report = new Struct(
                nvmlConfComputeGpuAttestationReport_t, Scratch.fresh().take(nvmlConfComputeGpuAttestationReport_t));
        report.part("nonce").asByteBuffer().put(nonce.duplicate());
        int code = device.calls().call(function, device, report.memory());
        return Queries.answer(function, code, report.memory(), o -> new Answer.Value<>(attestation(report)));
    }

    private static Attestation attestation(Struct report) {
        return new Attestation(
                report.bytes("attestationReport", report.u32("attestationReportSize")),
                report.flag("isCecAttestationReportPresent")
                        ? Optional.of(report.bytes("cecAttestationReport", report.u32("cecAttestationReportSize")))
                        : Optional.empty());
    }

    /**
     * Whether device memory is encrypted (nvmlDeviceGetDramEncryptionMode), on Blackwell and newer.
     *
     * @return now and after the next reboot
     */
    public Answer<Mode> dramEncryption() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetDramEncryptionMode;
        Scratch scratch = Scratch.fresh();
        Struct current = Structs.versioned(scratch, nvmlDramEncryptionInfo_v1_t, 1);
        Struct pending = Structs.versioned(scratch, nvmlDramEncryptionInfo_v1_t, 1);
        int code = device.calls().call(function, device, current.memory(), pending.memory());
        return Queries.answer(
                function,
                code,
                current.memory(),
                o -> new Answer.Value<>(new Mode(current.flag("encryptionState"), pending.flag("encryptionState"))));
    }

    /**
     * Sizes in KiB.
     *
     * @param protectedKib protected
     * @param unprotectedKib not protected
     */
    public record Sizes(long protectedKib, long unprotectedKib) {}

    /**
     * Protected memory, in bytes.
     *
     * @param total all of it
     * @param free what is free
     * @param used what is used
     */
    public record ProtectedMemory(long total, long free, long used) {}

    /**
     * Certificate chains, as the GPU gives them.
     *
     * @param device of the GPU
     * @param attestation of what signs attestation reports
     */
    public record Certificates(ByteBuffer device, ByteBuffer attestation) {}

    /**
     * Attestation reports.
     *
     * @param gpu the GPU's
     * @param cec that of its security controller, where it has one
     */
    public record Attestation(ByteBuffer gpu, Optional<ByteBuffer> cec) {}
}
