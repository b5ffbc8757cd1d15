// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.host.kernel.KernelLogDevice;
import io.gpuagent.model.time.ManualClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a daemon says of its GPUs: page, socket and stream, out of the kernel's log, NVML's events and readings. */
@Timeout(120)
class HealthIT {
    private static final int CONTAINED = 94;
    private static final String CONTAINED_ERROR =
            "pid=7194, name=python3, Contained: CE User Channel (0x9). RST: No, D-RST: No";

    @TempDir
    Path folder;

    private final WrittenKernelLog log = new WrittenKernelLog();

    private ServedNode start() throws Exception {
        return start(log, new ManualClock());
    }

    private ServedNode start(KernelLogDevice device, ManualClock clock) throws Exception {
        ServedNode node = ServedNode.start("h200x2", folder, device, clock);
        node.settle();
        // Until each GPU has been read and has registered its events.
        node.passSeconds(3);
        return node;
    }

    /** As the driver writes it (krcReportXid): without the function of the bus id. */
    private static String xid(ServedNode node, int gpu, int xid, String rest) {
        String bus = node.driver.gpu(gpu).busId().toLowerCase(Locale.ROOT);
        String place = bus.substring(bus.length() - "0000:3b:00.0".length(), bus.length() - ".0".length());
        return "NVRM: Xid (PCI:" + place + "): " + xid + ", " + rest;
    }

    private static JsonValue verdict(ServedNode node, int gpu) throws IOException {
        return node.read("/v1/health").json().items("gpus").orElseThrow().stream()
                .filter(each -> each.text("uuid")
                        .equals(Optional.of(node.driver.gpu(gpu).uuid())))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonValue> incidents(ServedNode node) throws IOException {
        return node.read("/v1/incidents").json().items("incidents").orElseThrow();
    }

    private static JsonValue source(ServedNode node, String name) throws IOException {
        return node.read("/v1/health").json().items("sources").orElseThrow().stream()
                .filter(source -> source.text("name").equals(Optional.of(name)))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitIncident(ServedNode node) {
        await().untilAsserted(() -> assertThat(incidents(node)).hasSize(1));
    }

    private static Optional<String> xidsOnPage(ServedNode node, int gpu, int xid) throws Exception {
        return node.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("gpu_xid_errors_total{gpu=\"" + gpu + "\"")
                        && line.contains("xid=\"" + xid + "\""))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst();
    }

    @Test
    void gpusThatAreWellAreOkOnceEverySourceSpeaks() throws Exception {
        try (ServedNode node = start()) {
            JsonValue health = node.read("/v1/health").json();

            assertThat(health.number("version")).contains(1.0);
            assertThat(health.text("state")).contains("ok");
            assertThat(health.items("gpus").orElseThrow())
                    .hasSize(2)
                    .allSatisfy(gpu -> assertThat(gpu.text("state")).contains("ok"));
            assertThat(node.get("/metrics").body())
                    .containsPattern("gpu_health_state\\{gpu=\"0\",state=\"ok\",[^}]*} 1\\.0")
                    .doesNotContain("gpu_xid_errors_total{");
        }
    }

    @Test
    void aLineOfTheKernelShowsOnThePageInTheVerdictAmongIncidentsAndAsAnEvent() throws Exception {
        try (ServedNode node = start()) {
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            awaitIncident(node);

            JsonValue verdict = verdict(node, 0);
            assertThat(verdict.text("state")).contains("degraded");
            assertThat(verdict.text("action")).contains("restart_app");
            assertThat(verdict(node, 1).text("state")).contains("ok");
            JsonValue incident = incidents(node).getFirst();
            assertThat(incident.text("code")).contains("xid_94");
            assertThat(incident.text("text").orElseThrow()).contains("Contained: CE User Channel");
            assertThat(incident.items("processes").orElseThrow().getFirst().number("pid"))
                    .contains(7194.0);
            assertThat(xidsOnPage(node, 0, CONTAINED)).contains("1.0");
            assertThat(xidsOnPage(node, 1, CONTAINED)).isEmpty();

            JsonValue events = node.read("/v1/events?since=0").json();
            assertThat(events.items("events").orElseThrow()).hasSize(1).allSatisfy(event -> {
                assertThat(event.number("gpu")).contains(0.0);
                assertThat(event.text("code")).contains("xid_94");
            });
            long last = events.number("last").orElseThrow().longValue();
            JsonValue behind = node.read("/v1/events?since=" + last).json();
            assertThat(behind.items("events").orElseThrow()).isEmpty();
            assertThat(behind.number("last").orElseThrow().longValue()).isEqualTo(last);
        }
    }

    @Test
    void theSameErrorToldByNvmlWithinTwoSecondsCountsOnce() throws Exception {
        try (ServedNode node = start()) {
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            awaitIncident(node);
            node.driver.gpu(0).raiseXid(CONTAINED);
            node.passSeconds(1);

            await().untilAsserted(() -> assertThat(
                            incidents(node).getFirst().items("sources").orElseThrow())
                    .hasSize(2));
            assertThat(incidents(node)).hasSize(1);
            assertThat(xidsOnPage(node, 0, CONTAINED)).contains("1.0");
        }
    }

    @Test
    void aLineThatAProgramForgedChangesNothingAndIsCounted() throws Exception {
        try (ServedNode node = start()) {
            log.program(xid(node, 0, 79, "GPU has fallen off the bus."));

            await().untilAsserted(() ->
                    assertThat(source(node, "kernel_log").number("refused")).contains(1.0));
            assertThat(verdict(node, 0).text("state")).contains("ok");
            assertThat(incidents(node)).isEmpty();
            assertThat(xidsOnPage(node, 0, 79)).isEmpty();
        }
    }

    @Test
    void aGpuThatLeavesTheBusIsLostAndTheOtherOneIsOk() throws Exception {
        try (ServedNode node = start()) {
            node.driver.gpu(1).lose();
            node.passSeconds(5);

            assertThat(verdict(node, 1).text("state")).contains("lost");
            assertThat(verdict(node, 1).text("action")).contains("reboot");
            assertThat(verdict(node, 1).truth("schedulable")).contains(false);
            assertThat(verdict(node, 0).text("state")).contains("ok");
            assertThat(node.read("/v1/health").json().text("state")).contains("lost");
        }
    }

    @Test
    void whatTheGpuAsksForOutranksTheTable() throws Exception {
        try (ServedNode node = start()) {
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            awaitIncident(node);
            // nvml.h: NVML_GPU_RECOVERY_ACTION_GPU_RESET
            node.driver.gpu(0).state().setRecoveryAction(1);
            node.passSeconds(11);

            assertThat(verdict(node, 0).text("state")).contains("critical");
            assertThat(verdict(node, 0).text("action")).contains("drain_and_reset");
        }
    }

    @Test
    void whatTheGpuAsksForIsReadOnceItsEventComesAndNotWhenSlowReadingsAreDue() throws Exception {
        try (ServedNode node = start()) {
            // nvml.h: NVML_GPU_RECOVERY_ACTION_DRAIN_AND_RESET; the event comes with it
            node.driver.gpu(1).state().setRecoveryAction(4);
            node.passSeconds(4);

            assertThat(verdict(node, 1).text("state")).contains("degraded");
            assertThat(verdict(node, 1).text("action")).contains("drain_and_reset");
        }
    }

    @Test
    void withoutTheKernelsLogNoGpuIsOk() throws Exception {
        KernelLogDevice denied = () -> {
            throw new AccessDeniedException("/dev/kmsg");
        };
        try (ServedNode node = start(denied, new ManualClock())) {
            assertThat(source(node, "kernel_log").text("state")).contains("denied");
            assertThat(source(node, "kernel_log").text("detail").orElseThrow()).contains("CAP_SYSLOG");
            assertThat(verdict(node, 0).text("state")).as("NVML's events come").contains("warn");
            assertThat(node.read("/v1/health").json().text("state")).contains("warn");
        }
    }

    @Test
    void withoutTheKernelsLogAndEventsNobodyKnows() throws Exception {
        KernelLogDevice denied = () -> {
            throw new AccessDeniedException("/dev/kmsg");
        };
        ManualClock clock = new ManualClock();
        try (ServedNode node = ServedNode.start(
                "h200x2",
                folder,
                denied,
                clock,
                // nvml.h: NVML_ERROR_NOT_SUPPORTED
                driver -> driver.answer("nvmlDeviceGetSupportedEventTypes", 3))) {
            node.settle();
            node.passSeconds(3);

            assertThat(verdict(node, 0).text("state")).contains("unknown");
            assertThat(verdict(node, 0)
                            .items("reasons")
                            .orElseThrow()
                            .getFirst()
                            .text("code"))
                    .contains("no_xid_source");
            assertThat(node.get("/metrics").body())
                    .containsPattern("gpu_health_state\\{gpu=\"0\",state=\"ok\",[^}]*} 0\\.0")
                    .containsPattern("gpu_health_state\\{gpu=\"0\",state=\"unknown\",[^}]*} 1\\.0");
        }
    }

    @Test
    void anAcknowledgementSurvivesARestartThatNeitherResetsNorDoublesXids() throws Exception {
        ManualClock clock = new ManualClock();
        String id;
        try (ServedNode node = start(log, clock)) {
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            await().untilAsserted(
                            () -> assertThat(xidsOnPage(node, 0, CONTAINED)).contains("2.0"));
            id = incidents(node).getFirst().text("id").orElseThrow();

            ServedMig.Answer answer = acknowledge(node, id, "reset on Friday");

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            checkAcknowledged(answer.json().items("incidents").orElseThrow().getFirst());
            assertThat(verdict(node, 0).text("state")).contains("ok");
        }
        try (ServedNode node = start(log, clock)) {
            await().untilAsserted(() ->
                    assertThat(source(node, "kernel_log").text("state")).contains("ok"));

            JsonValue incident = incidents(node).getFirst();
            assertThat(incidents(node)).hasSize(1);
            assertThat(incident.text("id")).contains(id);
            checkAcknowledged(incident);
            assertThat(verdict(node, 0).text("state")).contains("ok");
            assertThat(xidsOnPage(node, 0, CONTAINED)).contains("2.0");

            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));
            await().untilAsserted(
                            () -> assertThat(xidsOnPage(node, 0, CONTAINED)).contains("3.0"));
            assertThat(verdict(node, 0).text("state")).as("new evidence counts").contains("degraded");
        }
    }

    private static void checkAcknowledged(JsonValue incident) {
        assertThat(incident.text("acknowledged", "why")).contains("reset on Friday");
        assertThat(incident.text("acknowledged", "who").orElseThrow()).matches("uid [0-9]+");
        assertThat(incident.text("acknowledged", "at")).isPresent();
    }

    /** The answer waits for the disk, whose thread rests on the clock. */
    private static ServedMig.Answer acknowledge(ServedNode node, String id, String why) throws Exception {
        CompletableFuture<ServedMig.Answer> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return node.post("/v1/incidents/" + id + "/ack", "{\"why\": \"" + why + "\"}");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> {
            node.passSeconds(1);
            return answer.isDone();
        });
        return answer.get();
    }

    @Test
    void whoFollowsIsSentEventsAsTheyComeAndGoesOnBehindTheLastOneItHad() throws Exception {
        try (ServedNode node = start();
                Stream first = Stream.open(node, "/v1/events?follow=true", "")) {
            log.kernel(xid(node, 0, CONTAINED, CONTAINED_ERROR));

            first.await("xid_94");
            assertThat(first.text())
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("content-type: text/event-stream")
                    .containsPattern("id: 1\nevent: [a-z]+\ndata: ");

            log.kernel(xid(node, 1, 31, "pid=9, name=a, MMU Fault"));
            first.await("xid_31");
            try (Stream back = Stream.open(node, "/v1/events", "Accept: text/event-stream\r\nLast-Event-ID: 1\r\n")) {
                back.await("xid_31");
                assertThat(back.text()).doesNotContain("xid_94");
            }
        }
    }

    /** One who follows. */
    private record Stream(SocketChannel channel, StringBuilder seen) implements AutoCloseable {
        static Stream open(ServedNode node, String path, String headers) throws IOException {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(node.socket));
            channel.write(ByteBuffer.wrap(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            channel.configureBlocking(false);
            return new Stream(channel, new StringBuilder());
        }

        String text() {
            return seen.toString();
        }

        void await(String what) {
            org.awaitility.Awaitility.await().until(() -> {
                ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
                channel.read(buffer);
                seen.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                return text().contains(what);
            });
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
