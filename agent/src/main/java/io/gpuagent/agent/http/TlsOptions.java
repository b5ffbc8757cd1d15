// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.ClientAuthType;
import io.gpuagent.agent.config.TlsConfig;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.LinkedHashSet;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;

/** TLS as Vert.x takes it. */
final class TlsOptions {
    // Connections count against the cap once the handshake is over; until then this alone bounds them.
    private static final int HANDSHAKE_SECONDS = 5;

    private TlsOptions() {}

    static ServerSSLOptions of(TlsConfig tls) {
        try {
            ServerSSLOptions options = new ServerSSLOptions();
            options.setKeyCertOptions(KeyCertOptions.wrap(keys(tls)))
                    .setClientAuth(clientAuth(tls.clientAuth()))
                    .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                    .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                    .setEnabledSecureTransportProtocols(new LinkedHashSet<>(tls.protocols()));
            if (tls.clientAuth() != ClientAuthType.NO_CLIENT_CERT) {
                options.setTrustOptions(TrustOptions.wrap(ClientTrust.of(tls)));
            }
            tls.cipherSuites().forEach(options::addEnabledCipherSuite);
            return options;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java cannot use a certificate that it has read", e);
        }
    }

    static HttpServerOptions on(HttpServerOptions server, TlsConfig tls) {
        ServerSSLOptions options = of(tls);
        server.setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(options.getKeyCertOptions())
                .setClientAuth(options.getClientAuth())
                .setSslHandshakeTimeout(options.getSslHandshakeTimeout())
                .setSslHandshakeTimeoutUnit(options.getSslHandshakeTimeoutUnit())
                .setEnabledSecureTransportProtocols(options.getEnabledSecureTransportProtocols());
        if (options.getTrustOptions() != null) {
            server.setTrustOptions(options.getTrustOptions());
        }
        options.getEnabledCipherSuites().forEach(server::addEnabledCipherSuite);
        return server;
    }

    private static ClientAuth clientAuth(ClientAuthType type) {
        if (type == ClientAuthType.NO_CLIENT_CERT) {
            return ClientAuth.NONE;
        }
        return type.required() ? ClientAuth.REQUIRED : ClientAuth.REQUEST;
    }

    private static KeyManagerFactory keys(TlsConfig tls) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        char[] none = new char[0];
        store.setKeyEntry(
                "server", tls.identity().key(), none, tls.identity().chain().toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, none);
        return factory;
    }
}
