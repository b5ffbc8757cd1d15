// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.ThreadPercentage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of an H200, driver 580.159.04, control binary 13000, with paths and UUIDs replaced. */
class CapturedLogsTest {
    private static List<MpsEvent> events(String name) throws IOException {
        LogEvents events = new LogEvents();
        List<MpsEvent> all = new ArrayList<>();
        try (InputStream in = CapturedLogsTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> all.addAll(events.read(LogLine.parse(line))));
        }
        assertThat(events.idle()).isEqualTo(Optional.empty());
        return all;
    }

    /** What is left of a log without what somebody asked and what was answered. */
    private static List<MpsEvent> told(String name) throws IOException {
        return events(name).stream()
                .filter(event -> !(event instanceof MpsEvent.Noise
                        || event instanceof MpsEvent.Unknown
                        || event instanceof MpsEvent.CommandReceived))
                .toList();
    }

    /** Every line is known but the answers to commands, which the daemon logs as well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "foreground.log",
                "foreground-limits.log",
                "foreground-users.log",
                "detached-control.log",
                "detached-server.log"
            })
    void noLineIsUnknownButAnswersOfCommands(String name) throws IOException {
        assertThat(events(name))
                .filteredOn(MpsEvent.Unknown.class::isInstance)
                .extracting(event -> ((MpsEvent.Unknown) event).message())
                .allMatch(
                        message -> message.matches("\\d+(\\.\\d)?|\\d+[GM]|PID +ID +SERVER .*|\\d+ +\\d+ +\\d+ +GPU-.*"
                                + "|set_default_device_pinned_mem_limit .*\\."));
    }

    @Test
    void aDaemonInTheForegroundPrintsItsServersLogWithItsOwn() throws IOException {
        assertThat(told("foreground.log"))
                .startsWith(
                        new MpsEvent.DaemonStarted(432, "/run/gpu-agent/mps/gpu-00000000/pipe/control"),
                        new MpsEvent.DaemonVersion(13000),
                        new MpsEvent.ClientConnecting(434, 0, true),
                        new MpsEvent.ServerStarting(436, 0),
                        new MpsEvent.ServerContext(436, 0, true),
                        new MpsEvent.ServerReady(436),
                        // 50 % stood in the daemon's environment and took; a limit of 20 GiB stood there too and did
                        // not.
                        new MpsEvent.ThreadsSet(436, ThreadPercentage.parse("50")),
                        new MpsEvent.PrioritySet(436, 0),
                        new MpsEvent.ServerStarted(436),
                        new MpsEvent.ClientConnected(436, 434, 0),
                        new MpsEvent.ClientConnecting(434, 0, false),
                        new MpsEvent.ClientConnected(436, 434, 1),
                        new MpsEvent.ClientStatus(436, 434, 1, true));
    }

    @Test
    void aClientThatEndsAndOneThatIsKilledAreToldAlike() throws IOException {
        assertThat(told("detached-server.log"))
                .containsSubsequence(
                        new MpsEvent.ClientExited(522, 520, 1),
                        new MpsEvent.ClientGone(522, 520),
                        new MpsEvent.ClientExited(522, 573, 1),
                        new MpsEvent.ClientGone(522, 573))
                .doesNotContain(new MpsEvent.ClientGone(522, 583));
    }

    @Test
    void aDefaultOfMemoryReachesTheNextServerOnly() throws IOException {
        List<MpsEvent> told = told("foreground-limits.log");

        assertThat(told)
                .contains(new MpsEvent.LimitSet(842, 0, 20L << 30))
                .filteredOn(MpsEvent.LimitSet.class::isInstance)
                .hasSize(1);
        assertThat(told)
                .containsSubsequence(
                        new MpsEvent.ServerLeaving(812),
                        new MpsEvent.ServerExited(812, 0),
                        new MpsEvent.ServerStarting(842, 0));
    }

    @Test
    void aServerThatWasKilledExitsWithStatusZeroAndWithoutLeaving() throws IOException {
        List<MpsEvent> told = told("foreground-users.log");

        assertThat(told).contains(new MpsEvent.ServerExited(454, 0)).doesNotContain(new MpsEvent.ServerLeaving(454));
        assertThat(told)
                .as("a client of another user comes when the last one of the first user has gone")
                .containsSubsequence(
                        new MpsEvent.ClientConnecting(478, 65534, true),
                        new MpsEvent.ServerStays(468, 2),
                        new MpsEvent.ClientGone(468, 466),
                        new MpsEvent.ServerLeaving(468),
                        new MpsEvent.ServerExited(468, 0),
                        new MpsEvent.ServerStarting(480, 65534),
                        new MpsEvent.ClientConnected(480, 478, 0));
    }
}
