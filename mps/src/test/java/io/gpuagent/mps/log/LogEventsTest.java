// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.ThreadPercentage;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LogEventsTest {
    private static String server(String message) {
        return "[2021-10-31 23:37:34.350 Server 11628] " + message;
    }

    private static String control(String message) {
        return "[2021-06-27 07:30:26.216 Control     6] " + message;
    }

    private static List<MpsEvent> read(String... lines) {
        LogEvents events = new LogEvents();
        List<MpsEvent> read = new ArrayList<>();
        for (String line : lines) {
            read.addAll(events.read(LogLine.parse(line)));
        }
        events.idle().ifPresent(read::add);
        return read;
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(
                        control("Starting control daemon using socket /tmp/nvidia-mps/control"),
                        new MpsEvent.DaemonStarted(6, "/tmp/nvidia-mps/control")),
                Arguments.of(control("CUDA MPS Control binary version: 13000"), new MpsEvent.DaemonVersion(13000)),
                Arguments.of(
                        control("Cmd:set_default_device_pinned_mem_limit 0 4606M"),
                        new MpsEvent.CommandReceived("set_default_device_pinned_mem_limit 0 4606M")),
                Arguments.of(
                        control("NEW CLIENT 4711 from user 1000: Server already exists"),
                        new MpsEvent.ClientConnecting(4711, 1000, false)),
                Arguments.of(
                        control("NEW CLIENT 0 from user 0: Server is not ready, push client to pending list"),
                        new MpsEvent.ClientConnecting(0, 0, true)),
                Arguments.of(control("Starting new server 17 for user 1000"), new MpsEvent.ServerStarting(17, 1000)),
                Arguments.of(control("NEW SERVER 17: Ready"), new MpsEvent.ServerReady(17)),
                Arguments.of(
                        control("Server encountered a fatal exception. Shutting down"), new MpsEvent.FatalException(6)),
                Arguments.of(control("Server 95 exited with status 1"), new MpsEvent.ServerExited(95, 1)),
                Arguments.of(
                        control("Server 3039 has 1 active worker thread and will not shutdown"),
                        new MpsEvent.ServerStays(3039, 1)),
                Arguments.of(
                        server("Creating server context on device 0 (Tesla T4)"),
                        new MpsEvent.ServerContext(11628, 0, true)),
                Arguments.of(
                        server("Volta MPS: Destroy server context on device 0"),
                        new MpsEvent.ServerContext(11628, 0, false)),
                Arguments.of(
                        server("Active Threads Percentage set to 33.0"),
                        new MpsEvent.ThreadsSet(11628, ThreadPercentage.parse("33"))),
                Arguments.of(
                        "[2021-06-27 07:30:26.837 Other    17] activeThreadsPercentage set to 33.000000",
                        new MpsEvent.ThreadsSet(17, ThreadPercentage.parse("33"))),
                Arguments.of(
                        server("Device pinned memory limit for device 0 set to 0x140000000 bytes"),
                        new MpsEvent.LimitSet(11628, 0, 5L << 30)),
                Arguments.of(server("Server Priority set to 0"), new MpsEvent.PrioritySet(11628, 0)),
                Arguments.of(server("Server has started"), new MpsEvent.ServerStarted(11628)),
                Arguments.of(
                        server("Client {PID: 4267, Context ID: 0} connected"),
                        new MpsEvent.ClientConnected(11628, 4267, 0)),
                Arguments.of(
                        server("Failed to start : invalid argument"),
                        new MpsEvent.ServerFailed(11628, "invalid argument")),
                Arguments.of(
                        server("Volta MPS: Server is handling a fatal GPU error."), new MpsEvent.GpuFaultBegun(11628)),
                Arguments.of(
                        server("Volta MPS: status of client {11641, 1} is INACTIVE"),
                        new MpsEvent.ClientStatus(11628, 11641, 1, false)),
                Arguments.of(server("Client {11641, 1} exit"), new MpsEvent.ClientExited(11628, 11641, 1)),
                Arguments.of(
                        server("Volta MPS: Client disconnected. Number of active client contexts is 2"),
                        new MpsEvent.ContextsLeft(11628, 2)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void eachMessageIsAnEvent(String line, MpsEvent event) {
        assertThat(read(line)).containsExactly(event);
    }

    /** One client of a container that exits writes it: it says nothing about the server. */
    // nvidia-container-toolkit #277.
    @Test
    void aFailedReceiveIsNoise() {
        String message = "Receive command failed, assuming client exit";
        assertThat(read(server(message), server("Volta MPS: Client process disconnected")))
                .containsExactly(
                        new MpsEvent.Noise(message), new MpsEvent.Noise("Volta MPS: Client process disconnected"));
    }

    @Test
    void whatIsNotKnownIsKept() {
        assertThat(read(server("Something new"))).containsExactly(new MpsEvent.Unknown("Something new"));
        assertThat(read("no header")).containsExactly(new MpsEvent.Unknown("no header"));
        assertThat(read("")).containsExactly(new MpsEvent.Unknown(""));
    }

    @Test
    void aNumberThatCannotBeIsNoEvent() {
        assertThat(read(server("Active Threads Percentage set to 250.0")))
                .containsExactly(new MpsEvent.Unknown("Active Threads Percentage set to 250.0"));
        assertThat(read(control("Server 95 exited with status 99999999999")))
                .containsExactly(new MpsEvent.Unknown("Server 95 exited with status 99999999999"));
    }

    /** NVIDIA's example of one faulting GPU with three clients. */
    @Test
    void aFaultNamesItsDevicesAndClients() {
        assertThat(read(
                        server("Volta MPS: Server is handling a fatal GPU error."),
                        server("Volta MPS: status of client {11641, 1} is ACTIVE"),
                        server("Volta MPS: The following devices"),
                        server("0"),
                        server("1"),
                        server("Volta MPS: The following clients have a sticky error set:"),
                        server("11641"),
                        server("11633"),
                        server("Client {11641, 1} exit")))
                .containsExactly(
                        new MpsEvent.GpuFaultBegun(11628),
                        new MpsEvent.ClientStatus(11628, 11641, 1, true),
                        new MpsEvent.GpuFault(11628, List.of(0, 1), List.of(11641L, 11633L)),
                        new MpsEvent.ClientExited(11628, 11641, 1));
    }

    @Test
    void aFaultAtTheEndOfTheLogIsToldOnceNothingMoreComes() {
        LogEvents events = new LogEvents();
        events.read(LogLine.parse(server("Volta MPS: The following devices")));
        events.read(LogLine.parse("0"));
        events.read(LogLine.parse(server("clients have a sticky error set: 11641 11633")));

        assertThat(events.idle()).contains(new MpsEvent.GpuFault(11628, List.of(0), List.of(11641L, 11633L)));
        assertThat(events.idle()).isEmpty();
    }

    @Test
    void anotherServersLineInBetweenDoesNotEndTheList() {
        assertThat(read(
                        server("Volta MPS: The following devices"),
                        "[2021-10-31 23:37:34.350 Server   999] Server has started",
                        server("0"),
                        server("clients have a sticky error set:"),
                        server("11641")))
                .containsExactly(
                        new MpsEvent.ServerStarted(999), new MpsEvent.GpuFault(11628, List.of(0), List.of(11641L)));
    }

    @Test
    void aLongListOfDigitsOrOfLinesNeedsNoTimeAndNoEnd() {
        List<String> lines = new ArrayList<>(List.of(server("The following devices"), server("1".repeat(4000))));
        for (int i = 0; i < 10_000; i++) {
            lines.add(server("clients have a sticky error set: 7"));
        }
        lines.add(1, server("clients have a sticky error set:"));

        assertThat(read(lines.toArray(String[]::new))).hasSizeGreaterThan(1);
    }

    @Test
    void aLineIsWrittenAsItIsRead() {
        LocalDateTime at = LocalDateTime.parse("2021-06-27T07:30:26.216");
        String text = LogLine.format(at, LogLine.Source.CONTROL, 6, "NEW SERVER 17: Ready");

        assertThat(text).isEqualTo("[2021-06-27 07:30:26.216 Control     6] NEW SERVER 17: Ready");
        LogLine line = LogLine.parse(text);
        assertThat(line.written()).contains(at);
        assertThat(line.source()).isEqualTo(LogLine.Source.CONTROL);
        assertThat(line.pid()).isEqualTo(6);
        assertThat(line.message()).isEqualTo("NEW SERVER 17: Ready");
        assertThat(Locale.getDefault().getLanguage()).isEqualTo("tr");
    }

    @Test
    void aDayThatIsNoneLosesItsTimeOnly() {
        LogLine line = LogLine.parse("[2021-02-31 07:30:26.216 Server 7] Server has started");

        assertThat(line.written()).isEmpty();
        assertThat(line.pid()).isEqualTo(7);
    }
}
