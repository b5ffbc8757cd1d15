// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.model.time.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that this one has started, which ends with it. */
final class ChildJvm implements AutoCloseable {
    private static final long STOP_SECONDS = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long started = SystemClock.INSTANCE.nanos();
    private final Process process;
    private final BufferedReader lines;

    ChildJvm(JvmSetup setup, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(setup.flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(setup.environment());
        process = builder.start();
        lines = process.errorReader(StandardCharsets.UTF_8);
    }

    /**
     * Reads its standard error up to a line.
     *
     * @param pattern what is found in the line
     * @return the line
     */
    Matcher awaitLine(Pattern pattern) throws IOException {
        StringBuilder before = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher;
            }
            before.append(line).append('\n');
        }
        throw new IOException("the JVM ended early and said:\n" + before);
    }

    /** Time since its start. */
    double ageMillis() {
        return (SystemClock.INSTANCE.nanos() - started) / NANOS_PER_MILLI;
    }

    ProcessCost cost() throws IOException {
        return ProcessCost.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
