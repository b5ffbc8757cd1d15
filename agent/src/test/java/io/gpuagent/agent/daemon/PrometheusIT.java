// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Prometheus scrapes real agents over simulated GPUs. It comes with Debian's package {@code prometheus}. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class PrometheusIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern FAMILY = Pattern.compile("^# TYPE (\\S+) ", Pattern.MULTILINE);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    static Path folder;

    private static AgentProcess open;
    private static AgentProcess secured;
    private static Process prometheus;
    private static int openPort;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        TestCertificates certificates =
                new TestCertificates(folder).authority("ca").signed("server", "ca", "RSA", "ip:127.0.0.1");
        String hash = BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(6, "opensesame".toCharArray());
        Path web = Files.writeString(
                folder.resolve("web.yml"),
                "tls_server_config: {cert_file: server.crt, key_file: server.key}\n" + "basic_auth_users: {prometheus: "
                        + hash + "}\n");
        openPort = AgentProcess.freePort();
        int securedPort = AgentProcess.freePort();
        open = AgentProcess.serve(Files.createDirectory(folder.resolve("open")), openPort, "--simulate", "h200x2");
        secured = AgentProcess.serve(
                Files.createDirectory(folder.resolve("secured")),
                securedPort,
                "--simulate",
                "a100-40gb",
                "--web.config.file",
                web.toString());
        open.awaitReady(openPort);
        Awaitility.await().atMost(PATIENCE).until(() -> listens(securedPort));
        port = AgentProcess.freePort();
        prometheus = prometheus("""
                global: {scrape_interval: 1s, scrape_timeout: 1s}
                scrape_configs:
                  - job_name: native
                    static_configs: [{targets: ["127.0.0.1:%1$d"]}]
                  - job_name: dcgm
                    params: {format: [dcgm]}
                    static_configs: [{targets: ["127.0.0.1:%1$d"]}]
                  - job_name: secured
                    scheme: https
                    basic_auth: {username: prometheus, password: opensesame}
                    tls_config: {ca_file: %3$s}
                    static_configs: [{targets: ["127.0.0.1:%2$d"]}]
                  - job_name: intruder
                    scheme: https
                    basic_auth: {username: prometheus, password: guess}
                    tls_config: {ca_file: %3$s}
                    static_configs: [{targets: ["127.0.0.1:%2$d"]}]
                """.formatted(openPort, securedPort, certificates.certificate("ca")));
    }

    private static boolean listens(int agent) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), agent)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static Process prometheus(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("prometheus.yml"), config);
        try {
            return new ProcessBuilder(
                            "prometheus",
                            "--config.file=" + file,
                            "--storage.tsdb.path=" + folder.resolve("tsdb"),
                            "--web.listen-address=127.0.0.1:" + port,
                            "--log.level=warn")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("prometheus.txt").toFile())
                    .start();
        } catch (IOException e) {
            throw new AssertionError("Prometheus is missing; install it (Debian: apt-get install prometheus)", e);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (prometheus != null) {
            prometheus.destroy();
            prometheus.waitFor();
        }
        if (open != null) {
            open.close();
        }
        if (secured != null) {
            secured.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "dcgm", "secured"})
    void scrapesGoOnToSucceed(String job) throws Exception {
        awaitScraped(job);

        // The first ones meet a JVM that is still loading its classes, on a machine that may have other work.
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(values("min_over_time(up{job=\"" + job + "\"}[5s])")).containsExactly("1");
            assertThat(values("scrape_samples_scraped{job=\"" + job + "\"} > 40"))
                    .hasSize(1);
        });
    }

    @Test
    void everyFamilyOfThePageCanBeQueried() throws Exception {
        awaitScraped("native");

        assertThat(stored("native"))
                .containsAll(families("/metrics?format=native"))
                .hasSizeGreaterThan(50);
    }

    @Test
    void everyFamilyOfTheDcgmPageCanBeQueried() throws Exception {
        awaitScraped("dcgm");

        assertThat(stored("dcgm")).containsAll(families("/metrics?format=dcgm")).hasSizeGreaterThan(20);
    }

    @Test
    void overTlsWithAPasswordThereIsTheSame() throws Exception {
        awaitScraped("secured");

        assertThat(values("gpu_power_watts{job=\"secured\",window=\"instant\"}"))
                .hasSize(1);
        assertThat(values("gpu_agent_build_info{job=\"secured\",simulated=\"true\"}"))
                .containsExactly("1");
    }

    @Test
    void whoDoesNotKnowThePasswordGetsNothing() throws Exception {
        awaitScraped("secured");

        assertThat(values("max_over_time(up{job=\"intruder\"}[1m])")).containsExactly("0");
        assertThat(values("{job=\"intruder\",gpu=~\".+\"}")).isEmpty();
    }

    // Dashboard 12239 of grafana.com as dcgm-exporter has it in its sources; the one panel that it has besides these,
    // of DCGM_FI_PROF_PIPE_TENSOR_ACTIVE, needs a reading that is not made.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "max(DCGM_FI_DEV_GPU_TEMP{Hostname=~\".*\", gpu=~\".*\"}) by (Hostname, gpu, uuid)",
                "max(DCGM_FI_DEV_POWER_USAGE{Hostname=~\".*\", gpu=~\".*\"}) by (Hostname, gpu, uuid)",
                "max(DCGM_FI_DEV_SM_CLOCK{Hostname=~\".*\", gpu=~\".*\"} * 1000000) by (Hostname, UUID, gpu)",
                "max(DCGM_FI_DEV_GPU_UTIL{Hostname=~\".*\", gpu=~\".*\"}) by (Hostname, gpu)",
                "max(DCGM_FI_DEV_FB_USED{Hostname=~\".*\", gpu=~\".*\"}) by (Hostname, gpu, GPU_I_ID, GPU_I_PROFILE)"
            })
    void thePanelsOfTheDashboardHaveBothGpus(String query) throws Exception {
        awaitScraped("dcgm");

        assertThat(values(query)).hasSize(2);
        assertThat(values("count(count by (Hostname) (DCGM_FI_DEV_FB_FREE{Hostname!=\"\"}))"))
                .containsExactly("1");
    }

    // Alerts in public rules: no one fires on a healthy node, and each has something to look at.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DCGM_FI_DEV_ROW_REMAP_FAILURE",
                "DCGM_FI_DEV_ROW_REMAP_PENDING",
                "delta(DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS[30s])",
                "increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[30s])",
                "rate(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[30s])",
                "floor(DCGM_FI_DEV_CLOCKS_EVENT_REASONS / 8) % 2",
                "DCGM_FI_DEV_GPU_TEMP > bool DCGM_FI_DEV_SLOWDOWN_TEMP",
                "DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE) > bool 0.95"
            })
    void alertsLookAtBothGpusAndAreQuiet(String expression) throws Exception {
        awaitScraped("dcgm");

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(values(expression)).hasSize(2).containsOnly("0"));
    }

    private static void awaitScraped(String job) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> values("count_over_time(up{job=\"" + job + "\"}[1m]) > 2")
                                .size()
                        == 1);
    }

    private static Set<String> families(String path) throws Exception {
        return FAMILY.matcher(text("http://127.0.0.1:" + openPort + path))
                .results()
                .map(match -> match.group(1))
                // Of a summary without quantiles there are the count and the sum alone.
                .filter(family -> !family.equals("gpu_agent_page_render_seconds"))
                .collect(Collectors.toSet());
    }

    private static Set<String> stored(String job) throws Exception {
        return api("label/__name__/values?match[]=", "{job=\"" + job + "\"}").items("data").orElseThrow().stream()
                .map(name -> name.text().orElseThrow())
                .collect(Collectors.toSet());
    }

    /** The values of an instant query, as Prometheus writes them. */
    private static List<String> values(String query) throws Exception {
        return api("query?query=", query).items("data", "result").orElseThrow().stream()
                .map(series -> series.items("value").orElseThrow().get(1).text().orElseThrow())
                .toList();
    }

    private static JsonValue api(String path, String argument) throws Exception {
        String url = "http://127.0.0.1:" + port + "/api/v1/"
                + path.replace("[]", "%5B%5D")
                + URLEncoder.encode(argument, StandardCharsets.UTF_8);
        return JsonReader.read(text(url).getBytes(StandardCharsets.UTF_8));
    }

    private static String text(String url) throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }
}
