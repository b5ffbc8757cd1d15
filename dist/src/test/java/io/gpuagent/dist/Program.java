// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that has run to its end.
 *
 * @param command the command, for people
 * @param status its exit status
 * @param output what it wrote, errors too
 */
record Program(String command, int status, String output) {
    /** Runs a program of this machine; one that does not end in time is killed and fails the test. */
    static Program run(List<String> command, Duration within) {
        String shown = String.join(" ", command);
        try {
            // A file, and no pipe: a child that stays behind would hold a pipe open.
            Path output = Files.createTempFile("program", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(shown + " has not ended within " + within.toSeconds() + " s; it wrote: "
                            + Files.readString(output));
                }
                return new Program(shown, process.exitValue(), Files.readString(output));
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(shown, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while it ran: " + shown, e);
        }
    }

    /** Its output, where it ended well. */
    String orThrow() {
        if (status != 0) {
            throw new AssertionError(this.toString());
        }
        return output;
    }

    @Override
    public String toString() {
        return command + " ended with " + status + ": " + output;
    }
}
