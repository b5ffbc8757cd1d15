// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Certificates that the JDK's keytool makes in a folder: each a key store, and PEM files beside it. */
final class TestCertificates {
    private static final String PASSWORD = "changeit";

    private final Path folder;

    TestCertificates(Path folder) {
        this.folder = folder;
    }

    /** An authority that signs others. */
    TestCertificates authority(String name) throws Exception {
        make(name, "RSA", "-ext", "bc:c");
        return this;
    }

    /** A certificate that an authority of this folder has signed: NAME.crt, NAME.key. */
    TestCertificates signed(String name, String authority, String kind, String names) throws Exception {
        // keytool signs only with a key of the same store.
        Files.copy(store(authority), store(name));
        make(name, kind, "-signer", authority, "-ext", "san=" + names);
        return this;
    }

    private void make(String name, String kind, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-keyalg",
                kind,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store(name).toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        StringBuilder chain = new StringBuilder();
        KeyStore store = load(name);
        for (Certificate certificate : store.getCertificateChain(name)) {
            chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        Files.writeString(certificate(name), chain);
        if (store.getKey(name, PASSWORD.toCharArray()) instanceof PrivateKey key) {
            Files.writeString(key(name), pem("PRIVATE KEY", key.getEncoded()));
        }
    }

    Path certificate(String name) {
        return folder.resolve(name + ".crt");
    }

    Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    private KeyStore load(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /** A client that trusts one authority and shows nothing. */
    SSLContext client(String authority) throws IOException, GeneralSecurityException {
        return client(authority, new KeyManager[0]);
    }

    /** A client that shows a certificate. */
    SSLContext client(String authority, String name) throws IOException, GeneralSecurityException {
        KeyStore store = load(name);
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate certificate : store.getCertificateChain(name)) {
            chain.add((X509Certificate) certificate);
        }
        PrivateKey key = (PrivateKey) store.getKey(name, PASSWORD.toCharArray());
        return client(authority, new KeyManager[] {new Insistent(name, key, chain)});
    }

    private SSLContext client(String authority, KeyManager[] keys) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", load(authority).getCertificate(authority));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    /** Shows its certificate to a server that did not ask for one of its authority, which the JDK's own does not. */
    private static final class Insistent extends X509ExtendedKeyManager {
        private final String name;
        private final PrivateKey key;
        private final List<X509Certificate> chain;

        Insistent(String name, PrivateKey key, List<X509Certificate> chain) {
            this.name = name;
            this.key = key;
            this.chain = chain;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return name;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return name;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {name};
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return name;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain.toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }

    static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + kind + "-----\n";
    }
}
