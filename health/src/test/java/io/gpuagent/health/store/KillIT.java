// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.fold.HealthFold;
import io.gpuagent.health.fold.NodeFacts;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed with SIGKILL while they store; each goes on where the one before was stopped. */
class KillIT {
    private static final int KILLS = Boolean.getBoolean("gpuagent.exhaustive") ? 200 : 20;
    private static final int MINUTES = 30;

    @TempDir
    Path folder;

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void nothingThatWasStoredIsLostAndNothingCountsTwice() throws Exception {
        Random random = new Random(20261201);
        HealthFold fold = new HealthFold(XidCatalogue.builtIn());
        int acknowledged = -1;
        for (int kill = 0; kill < KILLS; kill++) {
            int before = acknowledged;
            acknowledged = Math.max(acknowledged, killed(1 + random.nextInt(60), random.nextInt(2_000_000)));
            assertThat(acknowledged).as("kill %d: it went on", kill).isGreaterThan(before);

            NodeFacts facts = KilledStore.begin(fold, KilledStore.store(folder));
            int stored = (int) facts.sequence();
            assertThat(stored).as("kill %d", kill).isGreaterThanOrEqualTo(acknowledged);
            assertThat(count(facts))
                    .as("kill %d: counts and position belong together", kill)
                    .isEqualTo(stored + 1);
            assertThat(facts.events().stream().map(event -> event.number()).distinct())
                    .hasSameSizeAs(facts.events());
            // The log is read from its beginning again; what was counted before is not counted again.
            for (int sequence = 0; sequence <= stored + 10; sequence++) {
                facts = KilledStore.read(fold, facts, sequence);
            }
            assertThat(count(facts)).isEqualTo(stored + 11);
        }
        System.out.printf(
                "%d processes were killed; %d records stored, none lost, none doubled%n", KILLS, acknowledged);
    }

    private static long count(NodeFacts facts) {
        return facts.gpus().values().stream()
                .flatMap(gpu -> gpu.xids().values().stream())
                .mapToLong(tally -> tally.count())
                .sum();
    }

    /** Kills it after so many stored batches and so many nanoseconds more; the latest record that it said is stored. */
    private int killed(int batches, int nanos) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(List.of(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledStore.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int last = -1;
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < batches; i++) {
                last = number(said.readLine(), last);
            }
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            // By its handle: the process's own method would close the stream, and with it what was said.
            process.toHandle().destroyForcibly();
            // What it had said before it died is as much of a promise.
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = number(line, last);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return last;
    }

    private static int number(String line, int before) {
        assertThat(line).as("what the process says").isNotNull();
        return line.isEmpty() ? before : Integer.parseInt(line);
    }
}
