// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Finds processes by the file names of their programs. Of most it reads the command line alone, which costs about 30
 * microseconds each (398 processes in 6 to 14 ms, two shared cores). The kernel can hold that read up for as long as the process itself hangs in a driver with its
 * memory map locked: call it where nobody waits.
 */
public final class ProcessScan {
    /** How many processes are looked at where nothing else was said; the kernel's own default bound of pids. */
    public static final int MOST = 32768;

    private final HostView host;
    private final int most;

    /**
     * Found processes.
     *
     * @param processes by pid
     * @param complete whether all processes were looked at, and not just as many as the bound allows, or those that a
     *     {@code /proc} with {@code hidepid} (proc(5)) shows to this user
     */
    public record Found(List<ProcessDetails> processes, boolean complete) {
        /** Takes a copy. */
        public Found {
            processes = List.copyOf(processes);
        }
    }

    /**
     * Looks at one machine.
     *
     * @param host the machine
     * @param most how many processes are looked at, 1 or more
     */
    public ProcessScan(HostView host, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a scan of " + most + " processes finds nothing: it must be 1 or more");
        }
        this.host = host;
        this.most = most;
    }

    /**
     * Goes through all processes. One that ends meanwhile may be left out.
     *
     * @param programs file names of programs
     * @return the processes whose first argument names one of them
     * @throws HostException where /proc cannot be read
     */
    public Found named(Set<String> programs) throws HostException {
        return named(programs, _ -> false);
    }

    /**
     * The same without a look at some of them.
     *
     * @param programs file names of programs
     * @param skipped asked for each process; those that it takes count as looked at
     * @return the processes whose first argument names one of the programs
     * @throws HostException where /proc cannot be read
     */
    public Found named(Set<String> programs, LongPredicate skipped) throws HostException {
        List<ProcessDetails> found = new ArrayList<>();
        int seen = 0;
        // Every pid namespace has one, and whoever may see all processes sees it.
        boolean all = Files.exists(host.path("/proc/1"));
        Path proc = host.path("/proc");
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, ProcessScan::isProcess)) {
            for (Path process : processes) {
                if (seen == most) {
                    return sorted(found, false);
                }
                seen++;
                String pid = process.getFileName().toString();
                if (skipped.test(Long.parseLong(pid))) {
                    continue;
                }
                try {
                    candidate(pid, programs).ifPresent(found::add);
                } catch (AccessDeniedException hidden) {
                    all = false;
                }
            }
        } catch (IOException e) {
            throw unreadable(proc, e);
        } catch (DirectoryIteratorException e) {
            throw unreadable(proc, Objects.requireNonNull(e.getCause()));
        }
        return sorted(found, all);
    }

    private static HostException unreadable(Path proc, IOException cause) {
        return HostException.of("read", proc, cause, "it must be mounted");
    }

    private static boolean isProcess(Path entry) {
        String name = String.valueOf(entry.getFileName());
        // Ten digits: pids end at 4194304 (proc_sys_kernel(5)), and a long takes more than that.
        return name.length() <= 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private Optional<ProcessDetails> candidate(String pid, Set<String> programs) throws AccessDeniedException {
        List<String> arguments;
        try {
            arguments = ProcessDetails.arguments(host, pid);
        } catch (AccessDeniedException hidden) {
            throw hidden;
        } catch (IOException ended) {
            return Optional.empty();
        }
        return isOne(ProcessDetails.program(arguments), programs)
                ? ProcessDetails.of(host, Long.parseLong(pid)).filter(details -> isOne(details.program(), programs))
                : Optional.empty();
    }

    private static boolean isOne(Optional<String> program, Set<String> programs) {
        return program.filter(programs::contains).isPresent();
    }

    private static Found sorted(List<ProcessDetails> found, boolean complete) {
        found.sort(Comparator.comparingLong(details -> details.identity().pid()));
        return new Found(found, complete);
    }
}
