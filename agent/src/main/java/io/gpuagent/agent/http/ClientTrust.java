// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.TlsConfig;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Judges the certificates of clients: who signed them, where that matters, and which names they have. */
final class ClientTrust extends X509ExtendedTrustManager {
    // GeneralName of RFC 5280: rfc822Name, dNSName, uniformResourceIdentifier, iPAddress.
    private static final Set<Integer> NAMES = Set.of(1, 2, 6, 7);

    private final Optional<X509ExtendedTrustManager> authorities;
    private final List<String> allowed;

    private ClientTrust(Optional<X509ExtendedTrustManager> authorities, List<String> allowed) {
        this.authorities = authorities;
        this.allowed = allowed;
    }

    static ClientTrust of(TlsConfig tls) throws GeneralSecurityException, IOException {
        return new ClientTrust(
                tls.clientAuth().verified() ? Optional.of(authorities(tls.clientCas())) : Optional.empty(),
                tls.clientNames());
    }

    private static X509ExtendedTrustManager authorities(List<X509Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate certificate : certificates) {
            store.setCertificateEntry(Integer.toString(store.size()), certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("the JDK gave no trust manager");
    }

    private void judge(X509Certificate[] chain) throws CertificateException {
        if (!allowed.isEmpty() && names(chain[0]).stream().noneMatch(allowed::contains)) {
            throw new CertificateException("the client's certificate has none of the names in client_allowed_sans");
        }
    }

    private static List<String> names(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? List.of()
                : names.stream()
                        .filter(name -> NAMES.contains(name.get(0)))
                        .map(name -> String.valueOf(name.get(1)))
                        .toList();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        if (authorities.isPresent()) {
            authorities.get().checkClientTrusted(chain, type, engine);
        }
        judge(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        if (authorities.isPresent()) {
            authorities.get().checkClientTrusted(chain, type, socket);
        }
        judge(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        if (authorities.isPresent()) {
            authorities.get().checkClientTrusted(chain, type);
        }
        judge(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw noServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw noServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw noServer();
    }

    private static CertificateException noServer() {
        return new CertificateException("clients are judged here, not servers");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.map(X509ExtendedTrustManager::getAcceptedIssuers).orElseGet(() -> new X509Certificate[0]);
    }
}
