// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.TlsConfig;
import io.gpuagent.agent.config.WebConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys in the forms in which openssl has written them over the years. */
class KeyFormsIT {
    @TempDir
    static Path folder;

    private static TestCertificates made;

    @BeforeAll
    static void certificates() throws Exception {
        made = new TestCertificates(folder)
                .authority("ca")
                .signed("RSA", "ca", "RSA", "dns:a")
                .signed("EC", "ca", "EC", "dns:a")
                .signed("Ed25519", "ca", "Ed25519", "dns:a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void pkcs8(String kind) throws Exception {
        assertThat(read(kind, Files.readString(made.key(kind))).identity().chain())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"RSA, RSA PRIVATE KEY", "EC, EC PRIVATE KEY"})
    void pkcs1AndSec1(String kind, String title) throws Exception {
        byte[] pkcs8 = der(Files.readString(made.key(kind)));

        TlsConfig tls = read(kind, TestCertificates.pem(title, innermost(pkcs8)));

        assertThat(tls.identity().key().getAlgorithm()).isEqualTo(kind);
    }

    @Test
    void certificateAndKeyInOneFile() throws Exception {
        String both = Files.readString(made.key("EC")) + Files.readString(made.certificate("EC"));
        Path file = Files.writeString(folder.resolve("both.pem"), both);
        Path web = Files.writeString(
                folder.resolve("web.yml"), "tls_server_config: {cert_file: " + file + ", key_file: " + file + "}\n");

        assertThat(WebConfigFile.read(web).tls()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ENCRYPTED PRIVATE KEY | the key has a passphrase, which nobody can enter here; take it off with openssl pkey
            PUBLIC KEY            | there is no private key in it; give one in PEM: -----BEGIN PRIVATE KEY-----
            PRIVATE KEY           | the key is damaged, or not of the certificate's kind (RSA); give the key that belongs to the certificate
            """)
    void whatIsNoKeyIsSaid(String title, String problem) {
        ConfigException e = catchThrowableOfType(
                ConfigException.class, () -> read("RSA", TestCertificates.pem(title, new byte[] {0x30, 0x00})));

        assertThat(e.problems()).singleElement().asString().endsWith("tls_server_config.key_file: " + problem);
    }

    private static TlsConfig read(String kind, String key) throws Exception {
        Path file = Files.writeString(folder.resolve("some.key"), key);
        Path web = Files.writeString(
                folder.resolve("web.yml"),
                "tls_server_config: {cert_file: " + made.certificate(kind) + ", key_file: " + file + "}\n");
        return WebConfigFile.read(web).tls().orElseThrow();
    }

    private static byte[] der(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    }

    /** Of a PKCS #8 key: sequence, version, algorithm, and the octet string whose content is wanted. */
    private static byte[] innermost(byte[] pkcs8) {
        int version = content(pkcs8, 0);
        int algorithm = end(pkcs8, version);
        int key = end(pkcs8, algorithm);
        return Arrays.copyOfRange(pkcs8, content(pkcs8, key), end(pkcs8, key));
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int end(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        int length = 0;
        for (int i = at + 2; i < content(der, at); i++) {
            length = length * 256 + (der[i] & 0xFF);
        }
        return content(der, at) + (first < 0x80 ? first : length);
    }
}
