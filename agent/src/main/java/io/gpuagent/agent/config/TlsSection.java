// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** The part {@code tls_server_config} of a web configuration file. */
final class TlsSection {
    private static final long LARGEST_BYTES = 1 << 20;
    // In rising order. The JDK keeps TLS 1.0 and 1.1 switched off (jdk.tls.disabledAlgorithms), as RFC 8996 wants it.
    private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
    private static final List<String> OF_TLS_1_3 =
            List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");

    private final YamlSection section;
    private final Path folder;
    private final Set<Path> files;

    /** Reads a section whose files are looked for in a folder, and adds them to those that were read. */
    TlsSection(YamlSection section, Path folder, Set<Path> files) {
        this.section = section;
        this.folder = folder;
        this.files = files;
    }

    private interface Reader<T> {
        T read(String pem) throws BadValueException;
    }

    Optional<TlsConfig> read() {
        Optional<List<X509Certificate>> chain = material("cert", PemText::certificates);
        // Without a certificate its key cannot be judged, and the certificate is what has to be mended first.
        Optional<PrivateKey> key = chain.isPresent()
                ? material("key", pem -> key(pem, chain.get()))
                : material("key", pem -> pem).flatMap(unread -> Optional.empty());
        Optional<List<X509Certificate>> authorities = material("client_ca", PemText::certificates);
        ClientAuthType clientAuth =
                section.value("client_auth_type", ClientAuthType.NO_CLIENT_CERT, ClientAuthType::parse);
        List<String> names = section.list("client_allowed_sans", text -> text);
        int least = section.value("min_version", 0, TlsSection::version);
        int most = section.value("max_version", VERSIONS.size() - 1, TlsSection::version);
        List<String> suites = section.list("cipher_suites", TlsSection::suite);
        // As in Go since 1.17, the server's order holds; the key is kept for files that have it.
        section.value("prefer_server_cipher_suites", true, ConfigFile::truth);
        if (section.has("curve_preferences")) {
            section.list("curve_preferences", text -> text);
            section.report(
                    "curve_preferences",
                    "the order of curves cannot be set here",
                    "remove it; the order of this Java, which begins with X25519, holds");
        }
        boolean isWanted = Stream.of("cert", "cert_file", "key", "key_file", "client_ca", "client_ca_file")
                        .anyMatch(section::has)
                || section.has("client_auth_type");
        if (isWanted) {
            demand("cert");
            demand("key");
        }
        judgeClients(clientAuth, names);
        if (least > most) {
            section.report("min_version", "it is newer than max_version", "swap them, or leave max_version out");
        }
        section.finish();
        if (chain.isEmpty() || key.isEmpty() || least > most) {
            return Optional.empty();
        }
        return Optional.of(new TlsConfig(
                new TlsIdentity(chain.get(), key.get()),
                clientAuth,
                authorities.orElse(List.of()),
                names,
                VERSIONS.subList(least, most + 1),
                // As in Go, a list concerns TLS 1.2 alone; the suites of TLS 1.3 are always good.
                suites.isEmpty()
                        ? List.of()
                        : Stream.concat(OF_TLS_1_3.stream(), suites.stream())
                                .distinct()
                                .toList()));
    }

    private static PrivateKey key(String pem, List<X509Certificate> chain) throws BadValueException {
        PrivateKey key = PemText.privateKey(pem, chain.getFirst().getPublicKey());
        if (!new TlsIdentity(chain, key).belongTogether()) {
            throw new BadValueException(
                    "the key is another one's than the certificate's", "give the key that belongs to the certificate");
        }
        return key;
    }

    private void demand(String what) {
        if (!section.has(what) && !section.has(what + "_file")) {
            String present = Stream.of("cert", "cert_file", "key", "key_file", "client_auth_type", "client_ca_file")
                    .filter(section::has)
                    .findFirst()
                    .orElse("client_ca");
            section.report(present, "TLS needs " + what + " or " + what + "_file as well", "add it");
        }
    }

    private void judgeClients(ClientAuthType type, List<String> names) {
        boolean hasAuthority = section.has("client_ca") || section.has("client_ca_file");
        if (type.verified() && !hasAuthority) {
            section.report(
                    "client_auth_type", "there is nobody who may have signed a certificate", "set client_ca_file");
        }
        if (type == ClientAuthType.NO_CLIENT_CERT && hasAuthority) {
            section.report(
                    section.has("client_ca") ? "client_ca" : "client_ca_file",
                    "no certificate is asked for",
                    "set client_auth_type: RequireAndVerifyClientCert");
        }
        if (!names.isEmpty() && !type.required()) {
            section.report(
                    "client_allowed_sans",
                    "a client may come without a certificate, and so without a name",
                    "set client_auth_type: RequireAndVerifyClientCert");
        }
    }

    private <T> Optional<T> material(String key, Reader<T> reader) {
        Optional<T> inline = section.value(key, reader::read);
        Optional<T> fromFile = section.value(key + "_file", text -> reader.read(content(text)));
        if (section.has(key) && section.has(key + "_file")) {
            section.report(key + "_file", key + " is set as well", "keep one of the two");
        }
        return inline.or(() -> fromFile);
    }

    private String content(String text) throws BadValueException {
        Path file = folder.resolve(PathText.path(text));
        files.add(file);
        try {
            if (!Files.isRegularFile(file) && Files.exists(file)) {
                throw new BadValueException(file + " is no regular file", "name a file");
            }
            if (Files.size(file) > LARGEST_BYTES) {
                throw new BadValueException(file + " has more than 1 MiB", "name a file in PEM");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new BadValueException(file + " does not exist", "name a file that does");
        } catch (AccessDeniedException e) {
            throw new BadValueException("this user may not read " + file, "give the agent's user the right to read it");
        } catch (IOException e) {
            throw new BadValueException(file + " cannot be read (" + e.getMessage() + ")", "name a file that can");
        }
    }

    private static int version(String text) throws BadValueException {
        return switch (text) {
            case "TLS12" -> 0;
            case "TLS13" -> 1;
            case "TLS10", "TLS11" ->
                throw new BadValueException(text + " is not safe and not offered", "use TLS12 or TLS13");
            default -> throw new BadValueException("there is no version " + Quoted.of(text), "use TLS12 or TLS13");
        };
    }

    private static String suite(String text) throws BadValueException {
        if (!text.startsWith("TLS_") || !Suites.SUPPORTED.contains(text)) {
            throw new BadValueException(
                    "there is no suite " + Quoted.of(text),
                    "use one such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
        }
        return text;
    }

    /** Made when a file first names a suite: TLS takes its time to start. */
    private static final class Suites {
        // What is switched off by default is weak.
        static final List<String> SUPPORTED = suites();

        private static List<String> suites() {
            try {
                return List.of(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no TLS", e);
            }
        }
    }
}
