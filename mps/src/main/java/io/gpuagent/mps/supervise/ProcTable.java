// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiPredicate;

/** The processes that /proc shows. */
public final class ProcTable implements ProcessTable {
    private final HostView host;

    /**
     * The processes of a machine.
     *
     * @param host the machine
     */
    public ProcTable(HostView host) {
        this.host = host;
    }

    private Path file(long pid, String name) {
        return host.path("/proc/" + pid + "/" + name);
    }

    /** Not UTF-8: a process may name itself with any bytes. */
    private Optional<String> read(long pid, String name) {
        try {
            return Optional.of(Files.readString(file(pid, name), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<ProcessIdentity> identity(long pid) {
        return ProcessIdentity.ofLiving(host, pid);
    }

    @Override
    public OptionalLong uid(long pid) {
        return read(pid, "status")
                .flatMap(status ->
                        status.lines().filter(line -> line.startsWith("Uid:")).findFirst())
                .map(line -> line.split("\\s+", -1))
                .filter(words -> words.length > 2)
                .map(words -> OptionalLong.of(Long.parseLong(words[2])))
                .orElse(OptionalLong.empty());
    }

    @Override
    public Optional<String> name(long pid) {
        return read(pid, "comm").map(String::strip).filter(name -> !name.isEmpty());
    }

    @Override
    public Optional<Instant> startedAt(ProcessIdentity process) {
        return ProcessHandle.of(process.pid())
                .flatMap(handle -> handle.info().startInstant())
                .filter(_ -> isAlive(process));
    }

    @Override
    public Optional<Boolean> isDaemonOf(long pid, PipeDirectory pipe) {
        if (!isControlDaemon(pid)) {
            return Optional.of(false);
        }
        return read(pid, "environ").map(environment -> names(environment, pipe));
    }

    /** The same program without either option is a command on its way to the daemon. */
    private boolean isControlDaemon(long pid) {
        List<String> arguments = arguments(pid);
        return isProgram(arguments, ControlProgram.NAME) && (arguments.contains("-f") || arguments.contains("-d"));
    }

    private List<String> arguments(long pid) {
        return List.of(read(pid, "cmdline").orElse("").split("\0", -1));
    }

    private static boolean isProgram(List<String> arguments, String name) {
        String program = arguments.getFirst();
        return program.substring(program.lastIndexOf('/') + 1).equals(name);
    }

    @Override
    public boolean isMarked(long pid, String id) {
        return read(pid, "environ")
                .filter(text -> List.of(text.split("\0", -1)).contains(EnvironmentFile.MARK + "=" + id))
                .isPresent();
    }

    /** Exactly once: of two entries, which one counts is the program's choice. */
    private static boolean names(String environment, PipeDirectory pipe) {
        String variable = MpsEnvironment.PIPE_DIRECTORY + "=";
        List<String> entries = List.of(environment.split("\0", -1)).stream()
                .filter(entry -> entry.startsWith(variable))
                .toList();
        // /proc shows bytes.
        String path = new String(pipe.path().toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return entries.equals(List.of(variable + path));
    }

    @Override
    public List<ProcessIdentity> serversOf(PipeDirectory pipe) {
        return all((pid, arguments) -> isProgram(arguments, ControlProgram.SERVER_NAME), pipe);
    }

    @Override
    public List<ProcessIdentity> daemonsOf(PipeDirectory pipe) {
        return all((pid, _) -> isControlDaemon(pid), pipe);
    }

    private List<ProcessIdentity> all(BiPredicate<Long, List<String>> wanted, PipeDirectory pipe) {
        List<ProcessIdentity> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(host.path("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (wanted.test(pid, arguments(pid))
                        && read(pid, "environ")
                                .filter(text -> names(text, pipe))
                                .isPresent()) {
                    identity(pid).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return List.copyOf(found);
    }

    @Override
    public void signal(ProcessIdentity process, boolean forcibly) {
        if (isAlive(process)) {
            ProcessHandle.of(process.pid()).ifPresent(handle -> {
                if (forcibly) {
                    handle.destroyForcibly();
                } else {
                    handle.destroy();
                }
            });
        }
    }
}
