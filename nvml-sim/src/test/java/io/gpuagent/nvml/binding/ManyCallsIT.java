// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent runs for months: what {@link ManyCalls} holds after a while is what it holds at the end. It runs in a JVM with
 * the agent's flags; with {@code -Pexhaustive} it makes 10^6 calls, otherwise a tenth.
 */
class ManyCallsIT {
    private static final long CALLS = Boolean.getBoolean("gpuagent.exhaustive") ? 1_000_000 : 100_000;
    private static final int PATIENCE_MINUTES = 5;
    /** Two threads' scratch memory may wait to be freed. A byte leaked per call would be twice as much. */
    private static final long ARENAS_BOUND = 32 << 10;
    /** The JVM still compiles and links a little. */
    private static final long TOTAL_BOUND = 4 << 20;

    @TempDir
    Path folder;

    @Test
    void nativeMemoryThreadsAndDescriptorsStayFlatOverManyCallsOnAllPaths() throws Exception {
        List<String> lines = run();

        assertThat(lines).hasSize(ManyCalls.SAMPLES);
        assertThat(calls(lines.getLast())).isGreaterThanOrEqualTo(CALLS);
        Held early = Held.parse(lines.get(ManyCalls.SAMPLES / 4));
        Held late = Held.parse(lines.getLast());
        assertThat(late.arenas() - early.arenas())
                .as("bytes in arenas\n%s", lines)
                .isLessThan(ARENAS_BOUND);
        assertThat(late.total() - early.total())
                .as("bytes of the JVM\n%s", lines)
                .isLessThan(TOTAL_BOUND);
        assertThat(late.threads()).as("threads\n%s", lines).isEqualTo(early.threads());
        assertThat(late.descriptors()).as("descriptors\n%s", lines).isEqualTo(early.descriptors());
    }

    private static long calls(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    private List<String> run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@../agent/src/main/dist/jvm.options",
                // The agent's own is not on this class path.
                "-Djava.util.logging.manager=java.util.logging.LogManager",
                "-XX:NativeMemoryTracking=summary",
                "-cp",
                System.getProperty("java.class.path"),
                ManyCalls.class.getName(),
                String.valueOf(CALLS)));
        if (Boolean.getBoolean("gpuagent.full")) {
            // gcc makes a library, which is loaded and unloaded once per session of the simulator.
            SmallLibrary small = new SmallLibrary(folder);
            small.install("580.1");
            command.add(small.link().toString());
        }
        Path output = folder.resolve("output.txt");
        Path errors = folder.resolve("errors.txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as("it ends in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return Files.readAllLines(output);
    }
}
