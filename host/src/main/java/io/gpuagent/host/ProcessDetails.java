// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * What every user may read of a process.
 *
 * @param identity which process
 * @param parent the pid of the process that started it, or of the one that took it over
 * @param uid the user it runs as
 * @param name its name as the kernel keeps it, up to 15 characters
 * @param arguments its command line, as far as 4096 bytes; empty for threads of the kernel and for a process that has
 *     ended and was not waited for
 */
public record ProcessDetails(ProcessIdentity identity, long parent, int uid, String name, List<String> arguments) {
    private static final int LONGEST = 4096;
    // proc_pid_stat(5): state and parent are the first two fields behind the name.
    private static final int PARENT_BEHIND_NAME = 1;

    /** Takes a copy. */
    public ProcessDetails {
        arguments = List.copyOf(arguments);
    }

    /**
     * Reads a process.
     *
     * @param host the machine
     * @param pid its pid
     * @return empty where there is none, or it ended meanwhile
     */
    public static Optional<ProcessDetails> of(HostView host, long pid) {
        String proc = "/proc/" + pid + "/";
        try {
            // Not UTF-8: a process may name itself with any bytes.
            String stat = Files.readString(host.path(proc + "stat"), StandardCharsets.ISO_8859_1);
            Optional<ProcessIdentity> identity = ProcessIdentity.parse(pid, stat);
            if (identity.isEmpty()) {
                return Optional.empty();
            }
            int uid =
                    HostView.effectiveUid(Files.readAllLines(host.path(proc + "status"), StandardCharsets.ISO_8859_1));
            ProcessDetails details = new ProcessDetails(
                    identity.get(), parent(stat), uid, name(stat), arguments(host, Long.toString(pid)));
            // The pid may have been given to another process in between.
            return identity.equals(ProcessIdentity.of(host, pid)) ? Optional.of(details) : Optional.empty();
        } catch (IOException | NumberFormatException endedOrCutShort) {
            return Optional.empty();
        }
    }

    private static String name(String stat) {
        return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    }

    private static long parent(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return Long.parseLong(fields[PARENT_BEHIND_NAME]);
    }

    static List<String> arguments(HostView host, String pid) throws IOException {
        try (InputStream in = Files.newInputStream(host.path("/proc/" + pid + "/cmdline"))) {
            String text = new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
            if (text.isEmpty()) {
                return List.of();
            }
            // Each argument ends with a zero byte.
            return List.of((text.endsWith("\0") ? text.substring(0, text.length() - 1) : text).split("\0", -1));
        }
    }

    /**
     * The program's file name, as whoever started it wrote it.
     *
     * @return the first argument without folders; empty where there is none
     */
    public Optional<String> program() {
        return program(arguments);
    }

    static Optional<String> program(List<String> arguments) {
        return arguments.stream().findFirst().map(first -> first.substring(first.lastIndexOf('/') + 1));
    }
}
