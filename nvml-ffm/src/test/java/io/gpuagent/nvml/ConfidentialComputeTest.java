// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuAttestationReport_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeGpuCertificate_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlConfComputeSystemState_t;
import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlDramEncryptionInfo_v1_t;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.ConfidentialNode.Environment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfidentialComputeTest {
    private final FakeSession session = new FakeSession();
    private final ConfidentialCompute topic = session.gpu(0).confidentialCompute();

    @Test
    void reportRepeatsTheNonceAndHasTheSizeThatTheGpuTells() {
        session.with("nvmlDeviceGetConfComputeGpuAttestationReport", arguments -> {
            FakeSession.Struct report = FakeSession.struct(arguments[1], nvmlConfComputeGpuAttestationReport_t);
            report.set("attestationReportSize", 2)
                    .setByte("attestationReport", 0, report.getByte("nonce"))
                    .setByte("attestationReport", 1, 7);
            return 0;
        });
        ByteBuffer nonce =
                ByteBuffer.wrap(new byte[ConfidentialCompute.NONCE_BYTES]).put(0, (byte) 42);

        assertThat(topic.attest(nonce).orThrow())
                .isEqualTo(new ConfidentialCompute.Attestation(ByteBuffer.wrap(new byte[] {42, 7}), Optional.empty()));
        assertThat(nonce.remaining()).isEqualTo(ConfidentialCompute.NONCE_BYTES);
    }

    @Test
    void nonceOfAnotherSizeIsTheCallersMistake() {
        assertThatThrownBy(() -> topic.attest(ByteBuffer.allocate(31))).hasMessageContaining("has 31");
    }

    @Test
    void sizeBeyondTheBufferEndsWithTheBuffer() {
        session.with("nvmlDeviceGetConfComputeGpuCertificate", arguments -> {
            FakeSession.struct(arguments[1], nvmlConfComputeGpuCertificate_t).set("certChainSize", -1);
            return 0;
        });

        ConfidentialCompute.Certificates certificates = topic.certificates().orThrow();

        assertThat(certificates.device().remaining()).isEqualTo(0x1000);
        assertThat(certificates.attestation().remaining()).isZero();
    }

    @Test
    void encryptionIsReadOfTwoStructs() {
        session.with("nvmlDeviceGetDramEncryptionMode", arguments -> {
            FakeSession.struct(arguments[2], nvmlDramEncryptionInfo_v1_t).set("encryptionState", 1);
            return FakeSession.readInt(arguments[1]) == FakeSession.readInt(arguments[2]) ? 0 : 25;
        });

        assertThat(topic.dramEncryption()).isEqualTo(new Answer.Value<>(new Mode(false, true)));
    }

    @Test
    void olderDriverDoesNotTellHowGpusWorkTogether() {
        session.with("nvmlSystemGetConfComputeState", arguments -> {
            FakeSession.struct(arguments[0], nvmlConfComputeSystemState_t)
                    .set("environment", 2)
                    .set("ccFeature", 1);
            return 0;
        });

        assertThat(new ConfidentialNode(session.calls).settings().orThrow())
                .isEqualTo(new ConfidentialNode.Settings(
                        new Coded<>(2, Optional.of(Environment.PROD)), true, false, Optional.empty()));
    }
}
