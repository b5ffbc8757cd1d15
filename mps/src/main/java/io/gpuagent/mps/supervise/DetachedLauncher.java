// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.ControlProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs daemons as children in sessions of their own, with their output in {@code control.log}: neither Ctrl-C nor the end of this
 * process reaches them. {@code setsid} (util-linux) becomes the daemon, so its pid is the child's. For machines and
 * containers without systemd.
 */
public final class DetachedLauncher implements DaemonLauncher {
    /** As the help of control binary 13000 spells it. */
    static final String MULTI_USER = "--multiuser-server";

    private static final Duration LOOK = Duration.ofMillis(20);

    private final ControlProgram program;
    private final ProcessTable processes;
    private final Clock clock;

    /**
     * A launcher.
     *
     * @param program the daemon's program
     * @param processes the machine's processes
     * @param clock the time
     */
    public DetachedLauncher(ControlProgram program, ProcessTable processes, Clock clock) {
        this.program = program;
        this.processes = processes;
        this.clock = clock;
    }

    @Override
    public ProcessIdentity start(Launch launch) {
        Map<String, String> environment = new EnvironmentFile(launch.environment()).read();
        environment.remove(EnvironmentFile.OPTIONS);
        List<String> command = new ArrayList<>(List.of("setsid", program.path().toString(), "-f"));
        if (launch.multiUser()) {
            command.add(MULTI_USER);
        }
        // In the foreground it writes no log file, but prints its own log and that of its servers (captured on an
        // H200).
        File output = launch.folders().controlLog().toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process child = builder.start();
            Optional<ProcessIdentity> identity = processes.identity(child.pid());
            if (identity.isEmpty()) {
                throw new MpsException("the MPS daemon " + launch.id()
                        + " ended at once; a device that is not there has" + " this effect");
            }
            new AtomicFile(note(launch))
                    .write(identity.get().pid() + " " + identity.get().startTicks() + "\n");
            return identity.get();
        } catch (IOException e) {
            throw new MpsException(
                    "cannot start " + program.path() + ": " + e.getMessage()
                            + "; it needs setsid of util-linux on the PATH",
                    e);
        }
    }

    /** Beside the pipe directory: it ends with the boot, as the process does. */
    private static Path note(Launch launch) {
        return launch.folders().pipe().path().resolveSibling("process");
    }

    @Override
    public Optional<ProcessIdentity> running(Launch launch) {
        Optional<ProcessIdentity> noted = readNote(note(launch))
                .filter(processes::isAlive)
                .filter(process ->
                        // Its environment cannot be read by other users; the note lies in a folder of ours.
                        processes
                                        .isDaemonOf(
                                                process.pid(), launch.folders().pipe())
                                        .orElse(true)
                                || isBecoming(process));
        if (noted.isPresent()) {
            return noted;
        }
        // This process may have ended between the start and the note.
        List<ProcessIdentity> found = processes.daemonsOf(launch.folders().pipe()).stream()
                .filter(process -> processes.isMarked(process.pid(), launch.id()))
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /** Between its fork and its last exec, a child is called otherwise for some milliseconds. */
    private boolean isBecoming(ProcessIdentity process) {
        return processes
                .startedAt(process)
                .filter(at -> at.plusSeconds(1).isAfter(clock.now()))
                .isPresent();
    }

    private static Optional<ProcessIdentity> readNote(Path note) {
        try {
            String[] words = Files.readString(note).strip().split(" ", -1);
            return Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1])));
        } catch (IOException | RuntimeException none) {
            return Optional.empty();
        }
    }

    @Override
    public boolean end(Launch launch, ProcessIdentity process, Duration within) {
        processes.signal(process, false);
        if (awaitEnd(process, within.dividedBy(2))) {
            return true;
        }
        processes.signal(process, true);
        return awaitEnd(process, within.dividedBy(2));
    }

    private boolean awaitEnd(ProcessIdentity process, Duration within) {
        long end = clock.nanos() + within.toNanos();
        try {
            while (processes.isAlive(process)) {
                if (clock.nanos() - end >= 0) {
                    return false;
                }
                clock.sleepUntil(clock.nanos() + LOOK.toNanos());
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void forget(Launch launch) {
        try {
            Files.deleteIfExists(note(launch));
        } catch (IOException e) {
            throw new MpsException("cannot remove " + note(launch) + ": " + e, e);
        }
    }

    @Override
    public Prospect prospect(Launch launch) {
        return Prospect.NONE;
    }

    @Override
    public String describe() {
        return "child process in a session of its own";
    }
}
