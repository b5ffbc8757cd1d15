// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * TLS of the Prometheus endpoint.
 *
 * @param identity what the server shows
 * @param clientAuth what it wants of clients
 * @param clientCas who may have signed a client's certificate
 * @param clientNames names of which a client's certificate must have one; empty for any
 * @param protocols the versions, as the JDK names them
 * @param cipherSuites the suites, as the JDK names them; empty for the JDK's choice
 */
public record TlsConfig(
        TlsIdentity identity,
        ClientAuthType clientAuth,
        List<X509Certificate> clientCas,
        List<String> clientNames,
        List<String> protocols,
        List<String> cipherSuites) {
    /** Takes copies. */
    public TlsConfig {
        clientCas = List.copyOf(clientCas);
        clientNames = List.copyOf(clientNames);
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
    }
}
