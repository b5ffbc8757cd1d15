// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.MetricsFormat;
import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.exporters.DcgmCounters;
import io.gpuagent.exporters.DcgmStyle;
import io.gpuagent.exporters.FamilyFilter;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.ManualClock;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scrapes of a page that takes as long as a test wants. */
class ScrapeLimitsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final WebRuntime web = new WebRuntime();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch made = new CountDownLatch(1);
    private int port;

    @BeforeEach
    void listen() throws Exception {
        ManualClock clock = new ManualClock();
        CallLedger ledger = new CallLedger(clock);
        DriverLoop driver =
                new DriverLoop(NvmlSource.library(Optional.empty()), ledger, clock, PollIntervals.DEFAULT, event -> {});
        Snapshots snapshots = new Snapshots(driver, ledger, clock, PollIntervals.DEFAULT, "test", false);
        AgentMeters meters = new AgentMeters();
        MetricsPages pages = new MetricsPages(
                snapshots,
                () -> {
                    awaitMade();
                    return Optional.empty();
                },
                new NoVerdicts(),
                meters,
                FamilyFilter.ALL,
                new DcgmStyle(DcgmCounters.USUAL, "", ""));
        MetricsServer server = new MetricsServer(
                web.vertx(),
                pages,
                MetricsFormat.NATIVE,
                WebConfigSource.of(Optional.empty()),
                meters,
                () -> true,
                clock);
        port = web.listen(server.listen("127.0.0.1", 0), "a port");
    }

    @AfterEach
    void close() {
        made.countDown();
        client.close();
        web.close(Duration.ofSeconds(5));
    }

    // As dcgm-exporter 4.8.4 and node_exporter: more than 40 scrapes at once are refused.
    @Test
    void moreThanFortyScrapesAtOnceAreToldToComeBack() {
        List<CompletableFuture<HttpResponse<String>>> all =
                IntStream.range(0, 45).mapToObj(i -> scrape()).toList();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> all.stream().filter(CompletableFuture::isDone).count() == 5);
        assertThat(all.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                .allSatisfy(refused -> {
                    assertThat(refused.statusCode()).isEqualTo(503);
                    assertThat(refused.body()).contains("too_many_scrapes");
                    assertThat(refused.headers().firstValue("retry-after")).contains("1");
                });

        made.countDown();
        assertThat(all.stream().map(CompletableFuture::join).filter(answer -> answer.statusCode() == 200))
                .hasSize(40);
    }

    @Test
    void aPageThatIsNotMadeInTimeIsGivenUp() throws Exception {
        HttpResponse<String> late = scrape("X-Prometheus-Scrape-Timeout-Seconds", "0.4", "Accept-Encoding", "gzip")
                .get(30, TimeUnit.SECONDS);

        assertThat(late.statusCode()).isEqualTo(503);
        assertThat(late.body()).contains("too_slow");
        assertThat(late.headers().firstValue("content-encoding")).isEmpty();
    }

    @Test
    void clientsThatLeaveGiveTheirPlacesBack() throws Exception {
        for (int i = 0; i < 60; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream()
                        .write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
        made.countDown();

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> IntStream.range(0, 40).mapToObj(i -> scrape()).toList().stream()
                        .allMatch(scrape -> scrape.join().statusCode() == 200));
    }

    private CompletableFuture<HttpResponse<String>> scrape(String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private void awaitMade() {
        try {
            made.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
