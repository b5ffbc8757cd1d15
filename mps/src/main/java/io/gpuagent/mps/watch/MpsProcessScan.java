// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessDetails;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.host.ProcessScan;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds all control daemons and servers in /proc. A process that was there twice and was neither is not read again before
 * the next whole look, so that a look costs what new processes cost. Used by one thread.
 */
public final class MpsProcessScan {
    // The help of control binary 13000 ("captured on an H200, driver 580.159.04") spells it --forground; later ones may
    // not. Single letters may stand together. Without one of them the program is a command on its way to a daemon.
    private static final Pattern DAEMON = Pattern.compile("--?(?:daemon|fore?ground)|-[MSq]*[df][MSq]*");
    // The default of drivers up to r580, and root's of later ones.
    private static final List<String> DEFAULT_PIPES = List.of("/tmp/nvidia-mps", "/run/nvidia-mps");
    private static final int LONGEST_PID = 32;
    // A shell may become a daemon late, and a pid may come to another process: each sixth look is at all.
    private static final int WHOLE = 6;

    private final HostView host;
    private final EnvironmentSource environments;
    private final ProcessScan scan;
    private Set<Long> before = Set.of();
    private Set<Long> settled = Set.of();
    private boolean complete = true;
    private long looks;

    /**
     * Looks at one machine.
     *
     * @param host the machine
     * @param environments reads environments
     */
    public MpsProcessScan(HostView host, EnvironmentSource environments) {
        this.host = host;
        this.environments = environments;
        this.scan = new ProcessScan(host, ProcessScan.MOST);
    }

    /**
     * Looks once.
     *
     * @return what runs now
     * @throws HostException where /proc cannot be read
     */
    public MpsProcesses look() throws HostException {
        ProcessScan.Found found = find();
        List<Long> pids = found.processes().stream()
                .map(process -> process.identity().pid())
                .toList();
        Map<Long, GpuEnvironment> read = pids.isEmpty() ? Map.of() : environments.read(pids);
        return new MpsProcesses(
                some(found, read, MpsProcessScan::isDaemon), some(found, read, MpsProcessScan::isServer), complete);
    }

    private ProcessScan.Found find() throws HostException {
        boolean whole = looks % WHOLE == 0;
        Set<Long> now = new HashSet<>();
        Set<Long> known = settled;
        ProcessScan.Found found = scan.named(Set.of(ControlProgram.NAME, ControlProgram.SERVER_NAME), pid -> {
            now.add(pid);
            return !whole && known.contains(pid);
        });
        looks++;
        // Who hides from a whole look hides from those that follow.
        complete = found.complete() && (whole || complete);
        Set<Long> others = new HashSet<>(now);
        others.retainAll(before);
        found.processes().forEach(one -> others.remove(one.identity().pid()));
        settled = others;
        before = now;
        return found;
    }

    /**
     * What a process was started with.
     *
     * @param pid the process
     * @return its CUDA_ and NVIDIA_ variables; empty where they cannot be read
     */
    Optional<Map<String, String>> variables(long pid) {
        return Optional.ofNullable(environments.read(List.of(pid)).get(pid)).map(GpuEnvironment::variables);
    }

    private static boolean isServer(ProcessDetails process) {
        return process.program().equals(Optional.of(ControlProgram.SERVER_NAME));
    }

    private static boolean isDaemon(ProcessDetails process) {
        return process.program().equals(Optional.of(ControlProgram.NAME))
                && process.arguments().stream()
                        .anyMatch(argument -> DAEMON.matcher(argument).matches());
    }

    private List<MpsProcess> some(
            ProcessScan.Found found, Map<Long, GpuEnvironment> read, Predicate<ProcessDetails> wanted) {
        return found.processes().stream()
                .filter(wanted)
                .map(process -> {
                    Optional<Map<String, String>> variables = Optional.ofNullable(
                                    read.get(process.identity().pid()))
                            // The pid may have been given to another process since.
                            .filter(environment -> environment.process().equals(process.identity()))
                            .map(GpuEnvironment::variables);
                    return new MpsProcess(
                            process.identity(), process.parent(), process.uid(), pipe(process, variables), variables);
                })
                // One that has ended meanwhile is not one whose environment is hidden.
                .filter(process -> process.variables().isPresent()
                        || ProcessIdentity.of(host, process.pid()).equals(Optional.of(process.identity())))
                .toList();
    }

    private Optional<Path> pipe(ProcessDetails process, Optional<Map<String, String>> variables) {
        String named = variables
                .map(all -> all.getOrDefault(MpsEnvironment.PIPE_DIRECTORY, ""))
                .orElse("");
        if (!named.isEmpty()) {
            return path(named);
        }
        return isDaemon(process) ? defaultPipe(process.identity().pid()) : Optional.empty();
    }

    private static Optional<Path> path(String named) {
        try {
            return Optional.of(Path.of(named).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Its own pid file in one of the default directories tells which. Anyone may write it, so it proves nothing more. */
    private Optional<Path> defaultPipe(long pid) {
        return DEFAULT_PIPES.stream()
                .filter(pipe -> holds(pipe, pid))
                .map(Path::of)
                .findFirst();
    }

    private boolean holds(String pipe, long pid) {
        try (InputStream in = Files.newInputStream(host.path(pipe + "/" + PipeDirectory.PID_FILE))) {
            return new String(in.readNBytes(LONGEST_PID), StandardCharsets.US_ASCII)
                    .strip()
                    .equals(Long.toString(pid));
        } catch (IOException none) {
            return false;
        }
    }
}
