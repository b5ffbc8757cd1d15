// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.gpuagent.agent.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind TLS, client certificates and passwords, by a web configuration file. */
class SecuredPageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String HASH =
            BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(5, "opensesame".toCharArray());

    @TempDir
    static Path certificates;

    @TempDir
    Path folder;

    private static TestCertificates made;
    private Path web;

    @BeforeAll
    static void certificates() throws Exception {
        made = new TestCertificates(certificates)
                .authority("ca")
                .authority("stranger")
                .signed("server", "ca", "RSA", "ip:127.0.0.1,dns:localhost")
                .signed("renewed", "ca", "EC", "ip:127.0.0.1,dns:localhost")
                .signed("prometheus", "ca", "EC", "dns:prometheus.example")
                .signed("intruder", "stranger", "EC", "dns:prometheus.example");
    }

    @BeforeEach
    void file() {
        web = folder.resolve("web.yml");
    }

    @Test
    void tlsAndAPasswordTogether() throws Exception {
        write("tls_server_config:\n" + identity("server") + "basic_auth_users: {alice: " + HASH + "}\n");
        try (ServedNode node = serve()) {
            SSLContext tls = made.client("ca");

            assertThat(get(node, tls, "alice", "opensesame").body()).contains("gpu_power_watts{");
            assertThat(get(node, tls, "alice", "wrong").statusCode()).isEqualTo(401);
            HttpResponse<String> refused = get(node, tls, "/-/healthy");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("www-authenticate"))
                    .contains("Basic realm=\"gpu-agent\", charset=\"UTF-8\"");
            assertThat(refused.body()).contains("\"code\":\"unauthorized\"").doesNotContain("gpu_");
        }
    }

    @Test
    void whoDoesNotTrustTheAuthorityOrSpeaksPlainHttpGetsNothing() throws Exception {
        write("tls_server_config:\n" + identity("server"));
        try (ServedNode node = serve()) {
            assertThatThrownBy(() -> get(node, made.client("stranger"), "/metrics"))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> node.get("/metrics")).isInstanceOf(IOException.class);
            assertThat(get(node, made.client("ca"), "/metrics").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aClientNeedsACertificateOfTheAuthority() throws Exception {
        write("tls_server_config:\n" + identity("server") + mutual());
        try (ServedNode node = serve()) {
            assertThat(get(node, made.client("ca", "prometheus"), "/metrics").statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> get(node, made.client("ca"), "/metrics")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> get(node, made.client("ca", "intruder"), "/metrics"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aClientNeedsOneOfTheNames() throws Exception {
        write("tls_server_config:\n" + identity("server") + mutual() + "  client_allowed_sans: [prometheus.example]\n");
        try (ServedNode node = serve()) {
            assertThat(get(node, made.client("ca", "prometheus"), "/metrics").statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> get(node, made.client("ca", "renewed"), "/metrics"))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RequestClientCert", "RequireAnyClientCert"})
    void anyCertificateWillDoWhereNoneIsVerified(String type) throws Exception {
        write("tls_server_config:\n" + identity("server") + "  client_auth_type: " + type + "\n");
        try (ServedNode node = serve()) {
            assertThat(get(node, made.client("ca", "intruder"), "/metrics").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aCertificateThatIsGivenMustBeGoodWhereThatIsVerified() throws Exception {
        write("tls_server_config:\n" + identity("server") + "  client_auth_type: VerifyClientCertIfGiven\n"
                + "  client_ca_file: " + made.certificate("ca") + "\n");
        try (ServedNode node = serve()) {
            assertThat(get(node, made.client("ca"), "/metrics").statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> get(node, made.client("ca", "intruder"), "/metrics"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void onlyTheVersionAndSuitesThatAreWantedAreSpoken() throws Exception {
        write("tls_server_config:\n" + identity("server") + "  max_version: TLS12\n"
                + "  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]\n");
        try (ServedNode node = serve()) {
            SSLSession session = handshake(node.port());
            assertThat(session.getProtocol()).isEqualTo("TLSv1.2");
            assertThat(session.getCipherSuite()).isEqualTo("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
        }
        write("tls_server_config:\n" + identity("server") + "  min_version: TLS13\n"
                + "  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]\n");
        try (ServedNode node = serve()) {
            assertThat(handshake(node.port()).getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @Test
    void aRenewedCertificateIsShownToTheNextWhoConnects() throws Exception {
        Path certificate = Files.copy(made.certificate("server"), folder.resolve("tls.crt"));
        Path key = Files.copy(made.key("server"), folder.resolve("tls.key"));
        write("tls_server_config: {cert_file: tls.crt, key_file: tls.key}\n");
        try (ServedNode node = serve()) {
            assertThat(subject(node)).isEqualTo("CN=server");

            // Between these two, key and certificate are of different kinds.
            Files.copy(made.key("renewed"), key, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(made.certificate("renewed"), certificate, StandardCopyOption.REPLACE_EXISTING);

            Awaitility.await().atMost(PATIENCE).until(() -> subject(node).equals("CN=renewed"));
        }
    }

    @Test
    void aNewPasswordHoldsAndAnOldOneDoesNotWithoutARestart() throws Exception {
        write("basic_auth_users: {alice: " + HASH + "}\n");
        try (ServedNode node = serve()) {
            assertThat(plain(node, "alice", "opensesame").statusCode()).isEqualTo(200);

            write("basic_auth_users: {alice: " + HASH + ", bob: " + HASH + "}\n");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> plain(node, "bob", "opensesame").statusCode() == 200);

            write("basic_auth_users: {bob: " + HASH + "}\n");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> plain(node, "alice", "opensesame").statusCode() == 401);
            assertThat(plain(node, "bob", "opensesame").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aBadFileStopsTheStart() throws Exception {
        write("basic_auth_users: {alice: nonsense}\n");
        assertThatThrownBy(this::serve)
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .endsWith(
                                        "web.yml:1:27: basic_auth_users.alice: the value is no bcrypt hash; write what htpasswd"
                                                + " -nBC 10 prints after the colon"));
        write("tls_server_config:\n  cert_file: " + made.certificate("server") + "\n  key_file: " + made.key("ca")
                + "\n");
        assertThatThrownBy(this::serve)
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .contains(
                                        ":3:13: tls_server_config.key_file: the key is another one's than the certificate's"));
        write("tls_server_config:\n  cert_file: " + made.certificate("server") + "\n  key_file: " + made.key("renewed")
                + "\n");
        assertThatThrownBy(this::serve)
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .contains("not of the certificate's kind (RSA)"));
    }

    @Test
    void headersAndTheLimitOfRequestsAreKeptTo() throws Exception {
        write("""
                http_server_config: {headers: {X-Content-Type-Options: nosniff}}
                rate_limit: {interval: 1s, burst: 3}
                """);
        try (ServedNode node = serve()) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> healthy = node.get("/-/healthy");
                assertThat(healthy.statusCode()).isEqualTo(200);
                assertThat(healthy.headers().firstValue("x-content-type-options"))
                        .contains("nosniff");
            }
            HttpResponse<String> more = node.get("/-/healthy");
            assertThat(more.statusCode()).isEqualTo(429);
            assertThat(more.headers().firstValue("retry-after")).contains("1");

            node.passSeconds(1);
            assertThat(node.get("/-/healthy").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoConnectsAndNeverShakesHandsIsPutOut() throws Exception {
        write("tls_server_config:\n" + identity("server"));
        try (ServedNode node = serve();
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
            silent.setSoTimeout((int) PATIENCE.toMillis());

            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    private ServedNode serve() throws Exception {
        ServedNode node = ServedNode.startWith("h200", folder, metrics -> metrics.withWebConfig(web));
        node.settle();
        return node;
    }

    private void write(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("web.yml.next"), text);
        Files.move(next, web, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String identity(String name) {
        return "  cert_file: " + made.certificate(name) + "\n  key_file: " + made.key(name) + "\n";
    }

    private static String mutual() {
        return "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: " + made.certificate("ca") + "\n";
    }

    private static SSLSession handshake(int port) throws Exception {
        try (SSLSocket socket = (SSLSocket) made.client("ca").getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return socket.getSession();
        }
    }

    private static String subject(ServedNode node) throws Exception {
        return ((X509Certificate) handshake(node.port()).getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    private static HttpResponse<String> get(ServedNode node, SSLContext tls, String path) throws Exception {
        return send(tls, HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + node.port() + path)));
    }

    private static HttpResponse<String> get(ServedNode node, SSLContext tls, String user, String password)
            throws Exception {
        return send(
                tls,
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + node.port() + "/metrics"))
                        .header("Authorization", basic(user, password)));
    }

    private static HttpResponse<String> plain(ServedNode node, String user, String password) throws Exception {
        return node.get("/metrics", "Authorization", basic(user, password));
    }

    private static HttpResponse<String> send(SSLContext tls, HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
}
