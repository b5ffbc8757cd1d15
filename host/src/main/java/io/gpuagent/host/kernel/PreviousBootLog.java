// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The end of the kernel's log before the last restart, out of the journal: what was written while a machine went down is in
 * no ring any more. By {@code journalctl} with a list of arguments, once, with a deadline; a journal that may not be read, or
 * keeps nothing over restarts, gives nothing.
 */
public final class PreviousBootLog {
    private static final List<String> PROGRAMS = List.of("/usr/bin/journalctl", "/bin/journalctl");
    /** Of the kernel (-k) and of its own facility: what programs wrote to /dev/kmsg is kept beside it. */
    private static final List<String> ARGUMENTS =
            List.of("--no-pager", "--quiet", "-k", "-b", "-1", "-n", "2000", "-o", "short-unix", "SYSLOG_FACILITY=0");

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int MICROS_DIGITS = 6;
    /** To the year 2286; ages beyond that do not fit nanoseconds. */
    private static final int SECONDS_DIGITS = 10;

    private static final long NANOS_PER_MICRO = 1_000;

    private PreviousBootLog() {}

    /**
     * One message.
     *
     * @param at when it was written, by the clock of then
     * @param text the message
     */
    public record Line(Instant at, String text) {}

    /**
     * Reads it; waits for the program.
     *
     * @param host the machine
     * @param within how long the program may take
     * @return the messages, the oldest first; empty where there are none to be had
     * @throws InterruptedException when interrupted
     */
    public static List<Line> read(HostView host, Duration within) throws InterruptedException {
        for (String program : PROGRAMS) {
            Path path = host.path(program);
            if (Files.isExecutable(path)) {
                return parse(run(path, within));
            }
        }
        return List.of();
    }

    private static String run(Path program, Duration within) throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(ARGUMENTS);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        try {
            Process process = builder.start();
            byte[][] output = {new byte[0]};
            // It writes more than a pipe holds, so somebody has to read while the deadline runs.
            Thread reader = Thread.ofPlatform().daemon().name("journalctl").start(() -> output[0] = drain(process));
            try {
                process.getOutputStream().close();
                boolean hasEnded = process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
                if (!hasEnded) {
                    return "";
                }
                reader.join(within);
                return reader.isAlive() ? "" : new String(output[0], StandardCharsets.UTF_8);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException notStarted) {
            return "";
        }
    }

    private static byte[] drain(Process process) {
        try (InputStream out = process.getInputStream()) {
            return out.readNBytes(MAX_BYTES);
        } catch (IOException killed) {
            return new byte[0];
        }
    }

    /** {@code 1796119200.123456 host kernel: text}; further lines of a message are indented. */
    static List<Line> parse(String output) {
        List<Line> lines = new ArrayList<>();
        for (String text : output.split("\n", -1)) {
            if (text.startsWith(" ") && !lines.isEmpty()) {
                Line last = lines.removeLast();
                String longer = last.text() + "\n" + text.strip();
                lines.add(new Line(last.at(), cut(longer)));
                continue;
            }
            int dot = text.indexOf('.');
            int blank = text.indexOf(' ');
            int message = text.indexOf(": ");
            boolean isMessage = dot > 0 && blank == dot + 1 + MICROS_DIGITS && message > blank;
            if (isMessage && isNumber(text, 0, dot) && isNumber(text, dot + 1, blank) && dot <= SECONDS_DIGITS) {
                lines.add(new Line(
                        Instant.ofEpochSecond(
                                Long.parseLong(text.substring(0, dot)),
                                Long.parseLong(text.substring(dot + 1, blank)) * NANOS_PER_MICRO),
                        cut(text.substring(message + 2))));
            }
        }
        return List.copyOf(lines);
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return to > from;
    }

    private static String cut(String text) {
        return text.length() > KernelLogRecord.MAX_TEXT ? text.substring(0, KernelLogRecord.MAX_TEXT) : text;
    }
}
