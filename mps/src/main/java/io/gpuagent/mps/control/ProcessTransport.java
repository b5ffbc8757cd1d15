// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.model.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs {@code nvidia-cuda-mps-control} once for each command, which costs about 75 ms on an H200 host. The command goes
 * in on standard input; no shell is involved.
 */
public final class ProcessTransport implements ControlTransport {
    // Behind its exit the rest of a program's output is in the pipe already; a child of it could hold the pipe open.
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

    private final ControlProgram program;
    private final Map<String, String> environment;
    private final Clock clock;

    /**
     * A way to one daemon.
     *
     * @param program the client program
     * @param environment all that it gets, see {@link MpsEnvironment#ofCommand}
     * @param clock measures how long a command takes
     */
    public ProcessTransport(ControlProgram program, Map<String, String> environment, Clock clock) {
        this.program = program;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
    }

    @Override
    public Exchange send(String command, Duration deadline) {
        if (command.isEmpty() || command.chars().anyMatch(c -> c < ' ')) {
            return new Exchange.NotRun("a command is one line of printable characters");
        }
        return run(List.of(program.path().toString()), command + "\n", deadline);
    }

    @Override
    public Exchange version(Duration deadline) {
        return run(List.of(program.path().toString(), "-v"), "", deadline);
    }

    private Exchange run(List<String> arguments, String input, Duration deadline) {
        long start = clock.nanos();
        ProcessBuilder builder = new ProcessBuilder(arguments);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return new Exchange.NotRun(String.valueOf(e.getMessage()));
        }
        Capture output = new Capture(process.getInputStream());
        Capture errors = new Capture(process.getErrorStream());
        try {
            write(process, input);
            if (!process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
                return new Exchange.TimedOut(deadline);
            }
            Duration took = Duration.ofNanos(clock.nanos() - start);
            output.join();
            errors.join();
            return new Exchange.Completed(
                    output.text(), errors.text(), process.exitValue(), output.cut() || errors.cut(), took);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Exchange.TimedOut(Duration.ofNanos(clock.nanos() - start));
        } finally {
            process.destroyForcibly();
            close(process);
        }
    }

    private static void write(Process process, String input) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException gone) {
            // The program ended before it read its input, as it does without a daemon; its output says why.
        }
    }

    private static void close(Process process) {
        try (Stream<InputStream> streams = Stream.of(process.getInputStream(), process.getErrorStream())) {
            for (InputStream stream : streams.toList()) {
                stream.close();
            }
        } catch (IOException alreadyClosed) {
            // Nothing is lost: all that is wanted has been read.
        }
    }

    /** Reads one stream on a thread of its own, so that a program that fills the other one is not held up. */
    private static final class Capture {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread thread;
        private boolean cut;

        Capture(InputStream stream) {
            thread = Thread.ofPlatform().daemon().name("mps-command").start(() -> read(stream));
        }

        private void read(InputStream stream) {
            byte[] buffer = new byte[8192];
            try {
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    take(buffer, count);
                }
            } catch (IOException closed) {
                // The program was killed; what was read until then is kept.
            }
        }

        private synchronized void take(byte[] buffer, int count) {
            int room = Math.min(count, MOST_OUTPUT - bytes.size());
            bytes.write(buffer, 0, room);
            cut |= room < count;
        }

        void join() throws InterruptedException {
            thread.join(LAST_OUTPUT);
        }

        synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        synchronized boolean cut() {
            return cut;
        }
    }
}
