// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Names one process for good: a pid alone is used again after the process has ended.
 *
 * @param pid its process id
 * @param startTicks when it started, in clock ticks since boot
 */
public record ProcessIdentity(long pid, long startTicks) {
    // proc_pid_stat(5): the start time is field 22. Counted from field 3 on, which is the first behind the name.
    private static final int START_TIME_BEHIND_NAME = 22 - 3;
    // 52 fields of 20 digits at the most, and a name of 64 bytes.
    private static final int LONGEST_STAT = 1200;

    /**
     * The process that has a pid now.
     *
     * @param host the machine
     * @param pid the pid
     * @return its identity, empty where there is no such process
     */
    public static Optional<ProcessIdentity> of(HostView host, long pid) {
        return stat(host, pid).flatMap(stat -> parse(pid, stat));
    }

    /**
     * The same without those that have ended and were not waited for: they hold nothing any more, and an init that does
     * not reap would keep them for ever.
     *
     * @param host the machine
     * @param pid the pid
     * @return its identity, empty where there is no such process, or only a zombie
     */
    public static Optional<ProcessIdentity> ofLiving(HostView host, long pid) {
        return stat(host, pid)
                .filter(stat -> !stat.regionMatches(stat.lastIndexOf(')'), ") Z", 0, 3)
                        && !stat.regionMatches(stat.lastIndexOf(')'), ") X", 0, 3))
                .flatMap(stat -> parse(pid, stat));
    }

    private static Optional<String> stat(HostView host, long pid) {
        // The plainest way there is: this is asked each second for each process that is watched.
        try (FileInputStream in =
                new FileInputStream(host.path("/proc/" + pid + "/stat").toFile())) {
            byte[] line = new byte[LONGEST_STAT];
            int length = in.read(line);
            // Not UTF-8: a process may name itself with any bytes.
            return length <= 0
                    ? Optional.empty()
                    : Optional.of(new String(line, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * This process.
     *
     * @param host the machine
     * @return its identity
     */
    public static ProcessIdentity self(HostView host) {
        long pid = ProcessHandle.current().pid();
        return of(host, pid).orElse(new ProcessIdentity(pid, 0));
    }

    static Optional<ProcessIdentity> parse(long pid, String stat) {
        // The name stands in parentheses and may hold spaces and parentheses itself: the last one ends it.
        int nameEnd = stat.lastIndexOf(')');
        if (nameEnd < 0) {
            return Optional.empty();
        }
        // Behind the parenthesis and a space begins field 3.
        int begin = nameEnd + 2;
        for (int field = 0; field < START_TIME_BEHIND_NAME; field++) {
            begin = stat.indexOf(' ', begin) + 1;
            if (begin == 0) {
                return Optional.empty();
            }
        }
        int end = stat.indexOf(' ', begin);
        try {
            return Optional.of(new ProcessIdentity(
                    pid, Long.parseLong(end < 0 ? stat.substring(begin).strip() : stat.substring(begin, end))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
