// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its chain and its key.
 *
 * @param chain the server's own certificate first
 * @param key the key of the first
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    /** Takes a copy. */
    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** Keeps the key out of logs. */
    @Override
    public String toString() {
        return "TlsIdentity[" + chain.getFirst().getSubjectX500Principal() + "]";
    }

    /** A key that is not the certificate's would show at the first handshake only. */
    boolean belongTogether() {
        try {
            byte[] message = {1, 2, 3};
            Signature signing = Signature.getInstance(signature());
            signing.initSign(key);
            signing.update(message);
            Signature checking = Signature.getInstance(signature());
            checking.initVerify(chain.getFirst().getPublicKey());
            checking.update(message);
            return checking.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private String signature() {
        return switch (chain.getFirst().getPublicKey().getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
    }
}
