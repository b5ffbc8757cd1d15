// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Web configuration files as exporter-toolkit's web-configuration.md has them. */
class WebConfigFileTest {
    // The sample file of exporter-toolkit, docs/web-config.yml.
    private static final String ALICE = "$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze";

    @TempDir
    Path folder;

    @Test
    void readsUsersHeadersAndTheRateLimit() throws Exception {
        WebConfig config = read("""
                http_server_config:
                  http2: true
                  headers:
                    X-Frame-Options: deny
                    Strict-Transport-Security: max-age=31536000
                basic_auth_users:
                  alice: %s
                rate_limit: {interval: 500ms, burst: 20}
                """.formatted(ALICE));

        assertThat(config.users()).containsExactly(Map.entry("alice", ALICE));
        assertThat(config.headers())
                .containsOnly(
                        Map.entry("X-Frame-Options", "deny"),
                        Map.entry("Strict-Transport-Security", "max-age=31536000"));
        assertThat(config.rateLimit()).contains(new WebConfig.RateLimit(Duration.ofMillis(500), 20));
        assertThat(config.tls()).isEmpty();
        assertThat(config.files()).containsExactly(file());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tls_server_config:\n", "rate_limit: {interval: 0}\n", "basic_auth_users: {}\n"})
    void whatSaysNothingIsOpenToAll(String text) throws Exception {
        WebConfig config = read(text);

        assertThat(config.tls()).isEqualTo(Optional.empty());
        assertThat(config.users()).isEmpty();
        assertThat(config.rateLimit()).isEmpty();
    }

    @Test
    void tellsAllProblemsAtOnceFromTheTopDown() throws IOException {
        assertThat(problems("""
                tls_server_config:
                  cert_file: server.crt
                  key_fiel: server.key
                  client_auth_type: RequireAndVerify
                  min_version: TLS10
                basic_auth_users:
                  alice: secret
                  bob: $2y$31$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze
                """))
                .containsExactly(
                        "F:2:3: tls_server_config.cert_file: TLS needs key or key_file as well; add it",
                        "F:2:14: tls_server_config.cert_file: D/server.crt does not exist; name a file that does",
                        "F:3:3: there is no key \"key_fiel\" in tls_server_config; did you mean key_file?",
                        "F:4:21: tls_server_config.client_auth_type: there is no \"RequireAndVerify\"; use NoClientCert,"
                                + " RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven or"
                                + " RequireAndVerifyClientCert",
                        "F:5:16: tls_server_config.min_version: TLS10 is not safe and not offered; use TLS12 or TLS13",
                        "F:7:10: basic_auth_users.alice: the value is no bcrypt hash; write what htpasswd -nBC 10 prints"
                                + " after the colon",
                        "F:8:8: basic_auth_users.bob: the cost of the hash is 31; use one between 4 and 18, such as 10");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tls_server: {}                          | F:1:1: there is no key "tls_server"; the keys here are tls_server_config, http_server_config, basic_auth_users, rate_limit
            http_server_config: {headers: {Via: x}} | F:1:37: http_server_config.headers.Via: this header cannot be set; the headers here are Content-Security-Policy, Strict-Transport-Security, X-Content-Type-Options, X-Frame-Options, X-XSS-Protection
            http_server_config: {headers: {X-Frame-Options: none}} | F:1:49: http_server_config.headers.X-Frame-Options: "none" is no value of this header; use deny or sameorigin
            rate_limit: {interval: 1s}              | F:1:14: rate_limit.interval: no request would be answered without a burst; set rate_limit.burst as well
            rate_limit: {interval: soon, burst: 1}  | F:1:24: rate_limit.interval: "soon" is no duration; write a whole number with ms, s, m or h, between 0s and 3600s, for example 1s
            tls_server_config: {client_auth_type: RequireAndVerifyClientCert, cert: x, key: y} | F:1:21: tls_server_config.client_auth_type: there is nobody who may have signed a certificate; set client_ca_file // F:1:73: tls_server_config.cert: there is no certificate in it; give one in PEM: -----BEGIN CERTIFICATE-----
            tls_server_config: {cipher_suites: [TLS_RSA_WITH_NULL_MD5]} | F:1:37: tls_server_config.cipher_suites: there is no suite "TLS_RSA_WITH_NULL_MD5"; use one such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384
            tls_server_config: {curve_preferences: [X25519]} | F:1:21: tls_server_config.curve_preferences: the order of curves cannot be set here; remove it; the order of this Java, which begins with X25519, holds
            tls_server_config: {min_version: TLS13, max_version: TLS12} | F:1:21: tls_server_config.min_version: it is newer than max_version; swap them, or leave max_version out
            """)
    void saysWhatIsWrongAndWhatWouldBeRight(String text, String problems) throws IOException {
        assertThat(String.join(" // ", problems(text))).isEqualTo(problems);
    }

    @Test
    void certificatesOfOthersNeedAnAuthorityAndAreAskedFor() throws IOException {
        assertThat(problems("tls_server_config:\n  cert: x\n  key: y\n  client_ca: z\n  client_allowed_sans: [a]\n"))
                .contains(
                        "F:4:3: tls_server_config.client_ca: no certificate is asked for; set client_auth_type:"
                                + " RequireAndVerifyClientCert",
                        "F:5:3: tls_server_config.client_allowed_sans: a client may come without a certificate, and so"
                                + " without a name; set client_auth_type: RequireAndVerifyClientCert");
    }

    @Test
    void aPasswordNeverStandsInAMessage() throws IOException {
        assertThat(problems("basic_auth_users: {alice: hunter2}\n").toString()).doesNotContain("hunter2");
        assertThat(new WebConfig(Optional.empty(), Map.of(), Map.of("alice", ALICE), Optional.empty(), Set.of()))
                .asString()
                .doesNotContain(ALICE);
    }

    private WebConfig read(String text) throws Exception {
        return WebConfigFile.read(Files.writeString(file(), text));
    }

    private List<String> problems(String text) throws IOException {
        Path file = Files.writeString(file(), text);
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> WebConfigFile.read(file));
        return e.problems().stream()
                .map(problem ->
                        problem.toString().replace(file().toString(), "F").replace(folder.toString(), "D"))
                .toList();
    }

    private Path file() {
        return folder.resolve("web.yml");
    }
}
