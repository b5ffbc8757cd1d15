// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnitStartTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();

    /** As the program answers while no daemon listens (captured on an H200). */
    private final ControlTransport nobody = new ControlTransport() {
        @Override
        public Exchange send(String command, Duration deadline) {
            sent.add(command);
            return new Exchange.Completed("Cannot find MPS control daemon process\n", "", 1, false, Duration.ZERO);
        }

        @Override
        public Exchange version(Duration deadline) {
            return new Exchange.Completed(
                    "CUDA MPS Control for Linux/Unix/QNX. Binary version: 13000\n", "", 0, false, Duration.ZERO);
        }
    };

    private HostView unit(String limits) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-cuda-mps-control"), "");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new HostView(
                Path.of("/"),
                Map.of(
                        "PATH",
                        folder.toString(),
                        "CUDA_MPS_PIPE_DIRECTORY",
                        "/run/pipe",
                        "CUDA_MPS_LOG_DIRECTORY",
                        "/var/log/mps",
                        "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                        limits),
                0);
    }

    @Test
    void withoutALimitTheDaemonIsNotAsked() throws Exception {
        assertThat(new UnitStart(nobody, List.of(), new ManualClock(), said::add).run())
                .isEqualTo(new UnitStart.Outcome(true, List.of()));
        assertThat(sent).isEmpty();
    }

    @Test
    void aDaemonThatNeverAnswersIsWaitedForAWhileAndTheSentenceTellsWhatItMeans() throws Exception {
        ManualClock clock = new ManualClock();
        UnitStart start = new UnitStart(nobody, List.of(PinnedMemoryLimit.parse("8GiB")), clock, said::add);
        CompletableFuture<UnitStart.Outcome> outcome = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                outcome.complete(start.run());
            } catch (InterruptedException e) {
                outcome.completeExceptionally(e);
            }
        });
        clock.awaitSleepers(1, PATIENCE);
        assertThat(outcome).isNotDone();

        clock.advance(UnitStart.PATIENCE);

        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(new UnitStart.Outcome(false, List.of()));
        assertThat(sent).containsOnly("set_default_device_pinned_mem_limit 0 8192M");
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("the limit of memory is not in force: ")
                .contains("clients come without it");
    }

    @Test
    void aListThatTheAgentDidNotWriteIsRefused() throws Exception {
        for (String list : List.of("8G", "1=8G", "0=8", "0=8G,0=8G", "0=8G,", "GPU-5c3d1a2b=8G")) {
            HostView unit = unit(list);
            assertThatExceptionOfType(MpsException.class)
                    .as(list)
                    .isThrownBy(() -> UnitStart.ofEnvironment(unit, new ManualClock(), said::add))
                    .withMessageContaining(list)
                    .withMessageContaining("0=4G,1=4G");
        }
    }

    @Test
    void outsideOfItsUnitItSaysWhatToUse() {
        HostView shell = new HostView(folder, Map.of("PATH", "/usr/bin"), 0);

        assertThatExceptionOfType(MpsException.class)
                .isThrownBy(() -> UnitStart.ofEnvironment(shell, new ManualClock(), said::add))
                .withMessageContaining("CUDA_MPS_PIPE_DIRECTORY")
                .withMessageContaining("gpu-agent mps start");
    }
}
