// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnitStopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final List<String> sent = new ArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();

    /** A daemon of which every command has the same fate. */
    private ControlTransport always(Exchange exchange) {
        return new ControlTransport() {
            @Override
            public Exchange send(String command, Duration deadline) {
                sent.add(command);
                return exchange;
            }

            @Override
            public Exchange version(Duration deadline) {
                return new Exchange.Completed(
                        "CUDA MPS Control for Linux/Unix/QNX. Binary version: 13000\n", "", 0, false, Duration.ZERO);
            }
        };
    }

    private UnitStop.Outcome stop(Exchange exchange) throws InterruptedException {
        return new UnitStop(always(exchange), new HostView(folder, Map.of(), 0), new ManualClock(), said::add)
                .run(Optional.empty(), UnitStop.DRAIN);
    }

    @Test
    void aDaemonThatHasGoneAlreadyNeedsNothing() throws InterruptedException {
        UnitStop.Outcome outcome = stop(new Exchange.Completed(
                "Cannot find MPS control daemon process\n", "", 1, false, Duration.ofMillis(75)));

        assertThat(outcome).isEqualTo(new UnitStop.Outcome(true, List.of()));
        assertThat(sent).containsExactly("get_server_list");
    }

    @Test
    void aDaemonThatDoesNotAnswerIsLeftToSystemdAtOnce() throws InterruptedException {
        UnitStop.Outcome outcome = stop(new Exchange.TimedOut(Duration.ofSeconds(10)));

        assertThat(outcome.gone()).isFalse();
        assertThat(sent).containsExactly("get_server_list");
        assertThat(said).singleElement().asString().contains("no answer came in time");
    }

    /** A server without clients that quit reaches, and that takes as long to leave as the test wants. */
    private static ControlTransport withServer(long server) {
        return new ControlTransport() {
            @Override
            public Exchange send(String command, Duration deadline) {
                return answer(command.equals("get_server_list") ? server + "\n" : "");
            }

            @Override
            public Exchange version(Duration deadline) {
                return answer("CUDA MPS Control for Linux/Unix/QNX. Binary version: 13000\n");
            }

            private Exchange answer(String text) {
                return new Exchange.Completed(text, "", 0, false, Duration.ofMillis(75));
            }
        };
    }

    private Path process(long pid, String cmdline) throws IOException {
        Path proc = Files.createDirectories(folder.resolve("proc/" + pid));
        Files.writeString(
                proc.resolve("stat"), pid + " (nvidia-cuda-mps) S 1 1 0 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 1 1 2\n");
        Files.writeString(proc.resolve("status"), "Uid:\t0\t0\t0\t0\n");
        return Files.writeString(proc.resolve("cmdline"), cmdline);
    }

    private CompletableFuture<UnitStop.Outcome> stopping(ManualClock clock) {
        CompletableFuture<UnitStop.Outcome> outcome = new CompletableFuture<>();
        UnitStop stop = new UnitStop(withServer(573), new HostView(folder, Map.of(), 0), clock, said::add);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                outcome.complete(stop.run(Optional.empty(), UnitStop.DRAIN));
            } catch (InterruptedException e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    @Test
    void aServerThatStillLeavesIsWaitedForSinceSystemdWouldKillIt() throws Exception {
        process(573, "nvidia-cuda-mps-server\0");
        ManualClock clock = new ManualClock();
        CompletableFuture<UnitStop.Outcome> outcome = stopping(clock);
        clock.awaitSleepers(1, PATIENCE);
        assertThat(outcome).isNotDone();

        // It has ended, and its parent has not asked for it yet.
        process(573, "");
        clock.advance(Duration.ofSeconds(1));

        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(new UnitStop.Outcome(true, List.of()));
    }

    @Test
    void aServerThatStaysIsNamedAndLeftToSystemd() throws Exception {
        process(573, "nvidia-cuda-mps-server\0");
        ManualClock clock = new ManualClock();
        CompletableFuture<UnitStop.Outcome> outcome = stopping(clock);
        clock.awaitSleepers(1, PATIENCE);

        clock.advance(Duration.ofSeconds(15));

        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(new UnitStop.Outcome(false, List.of()));
        assertThat(said).containsExactly("still running 15 s after it was told to quit: [573]");
    }

    @Test
    void outsideOfItsUnitItSaysWhatToUse() {
        HostView shell = new HostView(folder, Map.of("PATH", "/usr/bin"), 0);

        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(() -> UnitStop.ofEnvironment(shell, new ManualClock(), said::add))
                .withMessageContaining("CUDA_MPS_PIPE_DIRECTORY")
                .withMessageContaining("gpu-agent mps stop");
    }

    @Test
    void theMainProcessIsTheOneThatSystemdNames() {
        HostView real = HostView.real();
        long self = ProcessHandle.current().pid();

        assertThat(UnitStop.mainProcess(new HostView(real.root(), Map.of("MAINPID", Long.toString(self)), 0)))
                .hasValueSatisfying(process -> assertThat(process.pid()).isEqualTo(self));
        for (String none : List.of("", "0", "-1", "1e3", "99999999999")) {
            assertThat(UnitStop.mainProcess(new HostView(real.root(), Map.of("MAINPID", none), 0)))
                    .isEmpty();
        }
    }
}
