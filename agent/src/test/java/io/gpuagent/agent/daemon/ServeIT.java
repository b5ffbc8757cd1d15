// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.NodeStatus;
import io.gpuagent.nvml.sim.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus and the command line get from a running agent. */
class ServeIT {
    private static final Pattern FAMILY = Pattern.compile("^# TYPE (\\S+) ", Pattern.MULTILINE);

    @TempDir
    Path folder;

    @Test
    void servesAtLeastFortyFamiliesForEightGpus() throws Exception {
        try (ServedNode node = ServedNode.start("h200x8", folder)) {
            node.settle();

            HttpResponse<String> page = node.get("/metrics");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
            Set<String> families =
                    FAMILY.matcher(page.body()).results().map(m -> m.group(1)).collect(Collectors.toSet());
            assertThat(families).hasSizeGreaterThanOrEqualTo(40).contains("gpu_info", "gpu_power_watts");
            assertThat(page.body().lines().filter(line -> line.startsWith("gpu_info{")))
                    .hasSize(8);
        }
    }

    @Test
    void isReadyOnceEveryGpuHasBeenPolled() throws Exception {
        List<Hang> slow = new ArrayList<>();
        try (ServedNode node = ServedNode.start(
                "h200x2", folder, driver -> slow.add(driver.gpu(1).hang("nvmlDeviceGetName")))) {
            slow.getFirst().awaitHeld(1);
            assertThat(node.get("/-/healthy").statusCode()).isEqualTo(200);
            assertThat(node.get("/-/ready").statusCode()).isEqualTo(503);

            slow.getFirst().release();
            node.settle();
            assertThat(node.get("/-/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void withTheWorkersPausedAThousandScrapesMoveNoCallCounter() throws Exception {
        try (ServedNode node = ServedNode.start("h200x8", folder)) {
            node.settle();
            Map<String, Long> before = node.driver.calls().byFunction();

            for (int i = 0; i < 1000; i++) {
                assertThat(node.get("/metrics").statusCode()).isEqualTo(200);
            }

            assertThat(node.driver.calls().byFunction()).isEqualTo(before);
        }
    }

    @Test
    void withTheWorkersRunningScrapesAddNoCall() throws Exception {
        try (ServedNode node = ServedNode.start("h200x2", folder)) {
            node.settle();
            // Until each GPU has registered its events, which it does once.
            node.passSeconds(2);
            node.driver.calls().reset();
            node.passSeconds(30);
            Map<String, Long> idle = node.driver.calls().byFunction();

            node.driver.calls().reset();
            for (int second = 0; second < 30; second++) {
                node.passSeconds(1);
                for (int scrape = 0; scrape < 10; scrape++) {
                    node.get("/metrics");
                    node.get("/metrics?format=native", "Accept", "application/openmetrics-text; version=1.0.0");
                }
            }
            assertThat(node.driver.calls().byFunction()).isEqualTo(idle);
        }
    }

    @Test
    void aHungGpuIsMarkedItsSeriesEndAndThePageStaysQuick() throws Exception {
        try (ServedNode node = ServedNode.start("h200x8", folder)) {
            node.settle();
            assertThat(node.get("/metrics").body()).contains("gpu_power_watts{gpu=\"3\"");
            Hang hang = node.driver.gpu(3).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);
            node.passSeconds(4);

            String page = node.get("/metrics").body();
            assertThat(page)
                    .containsPattern("gpu_device_state\\{gpu=\"3\",state=\"unresponsive\",[^}]*} 1\\.0")
                    .doesNotContain("gpu_power_watts{gpu=\"3\"")
                    .doesNotContain("gpu_utilization_ratio{engine=\"gpu\",gpu=\"3\"");
            for (int gpu : new int[] {0, 1, 2, 4, 5, 6, 7}) {
                assertThat(page).contains("gpu_power_watts{gpu=\"" + gpu + "\"");
            }
            assertThat(medianOfNewPages(node)).isLessThan(Duration.ofMillis(100));
        }
    }

    /** A median, because one page may meet a busy machine; a page that waited for the GPU would be slow each time. */
    private static Duration medianOfNewPages(ServedNode node) throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            node.passSeconds(1);
            long start = System.nanoTime();
            node.get("/metrics");
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }
        Collections.sort(times);
        return times.get(times.size() / 2);
    }

    @Test
    void aDriverThatGoesAwayIsOnThePage() throws Exception {
        try (ServedNode node = ServedNode.start("h200", folder)) {
            node.settle();
            assertThat(node.get("/metrics").body()).contains("gpu_agent_nvml_up 1.0");
            node.driver.answer("nvmlInit_v2", 9);
            node.driver.answer("nvmlDeviceGetEnforcedPowerLimit", 1);
            Awaitility.await().until(() -> {
                node.clock.advance(Duration.ofSeconds(1));
                return node.get("/metrics").body().contains("gpu_agent_nvml_up 0.0");
            });
            Awaitility.await().until(() -> {
                node.clock.advance(Duration.ofSeconds(1));
                return node.get("/metrics").body().contains("DRIVER_NOT_LOADED");
            });

            assertThat(node.get("/metrics").body())
                    .contains("gpu_agent_nvml_down_info{code=\"NVML_ERROR_DRIVER_NOT_LOADED\",reason=\"no_driver\"} 1")
                    .doesNotContain("gpu_power_watts{");
            assertThat(node.get("/-/healthy").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void thePageComesPackedAndAsOpenMetricsForWhoeverAsks() throws Exception {
        try (ServedNode node = ServedNode.start("h200", folder)) {
            node.settle();

            assertThat(node.get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0")
                            .body())
                    .endsWith("# EOF\n");
            HttpResponse<String> packed = node.get("/metrics", "Accept-Encoding", "gzip");
            assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");
            assertThat(node.get("/metrics", "Accept-Encoding", "gzip;q=0")
                            .headers()
                            .firstValue("content-encoding"))
                    .isEmpty();
        }
    }

    @Test
    void answersGetAndHeadOnly() throws Exception {
        try (ServedNode node = ServedNode.start("h200", folder)) {
            node.settle();

            HttpResponse<String> head = node.send("HEAD", "/metrics");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(Integer.parseInt(
                            head.headers().firstValue("content-length").orElseThrow()))
                    .isGreaterThan(1000);

            HttpResponse<String> post = node.send("POST", "/metrics");
            assertThat(post.statusCode()).isEqualTo(405);
            assertThat(post.headers().firstValue("allow")).contains("GET, HEAD");
            assertThat(post.headers().firstValue("content-type")).contains("application/problem+json");
            assertThat(node.get("/nothing").statusCode()).isEqualTo(404);
            assertThat(node.get("/metrics?format=xml").statusCode()).isEqualTo(400);
            String broken = new String(rawGet(node.port(), "/metrics?format=%zz"), StandardCharsets.US_ASCII);
            assertThat(broken).startsWith("HTTP/1.1 400").contains("bad_query");
            assertThat(node.get("/metrics?format=xml").body()).contains("there are native and dcgm");
        }
    }

    private static byte[] rawGet(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readAllBytes();
        }
    }

    @Test
    void theSocketIsForOwnerAndGroupAndGoesWithTheAgent() throws Exception {
        Path socket;
        try (ServedNode node = ServedNode.start("h200x2", folder)) {
            node.settle();
            socket = node.socket;
            assertThat(Files.getPosixFilePermissions(socket))
                    .hasToString("[OWNER_READ, OWNER_WRITE, GROUP_READ, GROUP_WRITE]");

            String json = new UnixHttp(socket).get("/v1/status");
            assertThat(NodeStatus.of(JsonReader.read(json.getBytes(StandardCharsets.UTF_8)))
                            .gpus())
                    .hasSize(2);
            assertThat(new UnixHttp(socket).get("/v1/nothing")).contains("\"code\":\"not_found\"");
        }
        assertThat(socket).doesNotExist();
        assertThat(socket.resolveSibling("gpu-agent.sock.new")).doesNotExist();
    }
}
