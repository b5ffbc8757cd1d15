// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuAttestationReport_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuCertificate_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeMemSizeInfo_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlDramEncryptionInfo_v1_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlMemory_t;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
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
        return OutStruct.of(nvmlConfComputeMemSizeInfo_t)
                .ask(
                        device,
                        NvmlFunction.nvmlDeviceGetConfComputeMemSizeInfo,
                        out -> new Sizes(out.u64("protectedMemSizeKib"), out.u64("unprotectedMemSizeKib")));
    }

    /**
     * Use of protected memory (nvmlDeviceGetConfComputeProtectedMemoryUsage).
     *
     * @return bytes; all zero where confidential computing is off
     */
    public Answer<ProtectedMemory> protectedMemory() {
        return OutStruct.of(nvmlMemory_t)
                .ask(
                        device,
                        NvmlFunction.nvmlDeviceGetConfComputeProtectedMemoryUsage,
                        out -> new ProtectedMemory(out.u64("total"), out.u64("free"), out.u64("used")));
    }

    /**
     * The GPU's certificates (nvmlDeviceGetConfComputeGpuCertificate).
     *
     * @return both chains; an H200 outside confidential computing answers UNKNOWN
     */
    public Answer<Certificates> certificates() {
        return OutStruct.of(nvmlConfComputeGpuCertificate_t)
                .ask(
                        device,
                        NvmlFunction.nvmlDeviceGetConfComputeGpuCertificate,
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
        OutStruct report = OutStruct.of(nvmlConfComputeGpuAttestationReport_t);
        report.member("nonce").asByteBuffer().put(nonce.duplicate());
        return report.ask(
                device,
                NvmlFunction.nvmlDeviceGetConfComputeGpuAttestationReport,
                out -> new Attestation(
                        out.bytes("attestationReport", out.u32("attestationReportSize")),
                        out.flag("isCecAttestationReportPresent")
                                ? Optional.of(out.bytes("cecAttestationReport", out.u32("cecAttestationReportSize")))
                                : Optional.empty()));
    }

    /**
     * Whether device memory is encrypted (nvmlDeviceGetDramEncryptionMode), on Blackwell and newer.
     *
     * @return now and after the next reboot
     */
    public Answer<Mode> dramEncryption() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetDramEncryptionMode;
        Scratch scratch = Scratch.fresh();
        int version = Layouts.version(nvmlDramEncryptionInfo_v1_t, 1);
        OutStruct current = OutStruct.of(scratch, nvmlDramEncryptionInfo_v1_t).set("version", version);
        OutStruct pending = OutStruct.of(scratch, nvmlDramEncryptionInfo_v1_t).set("version", version);
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
