// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs daemons as units {@code gpu-agent-mps@ID.service}, outside of the agent's control group, so that a restart of the
 * agent's unit does not end them. systemd starts one again that failed.
 */
public final class SystemdLauncher implements DaemonLauncher {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    /** Behind TimeoutStopSec= of the unit, which lets clients finish. */
    static final Duration STOP = Duration.ofSeconds(95);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final String systemctl;
    private final ProcessTable processes;
    private final Clock clock;

    /**
     * A launcher.
     *
     * @param systemctl the program, such as {@code /usr/bin/systemctl}
     * @param processes the machine's processes
     * @param clock the time
     */
    public SystemdLauncher(String systemctl, ProcessTable processes, Clock clock) {
        this.systemctl = systemctl;
        this.processes = processes;
        this.clock = clock;
    }

    /**
     * The unit of a daemon.
     *
     * @param id its id
     * @return the unit's name
     */
    public static String unit(String id) {
        return "gpu-agent-mps@" + id + ".service";
    }

    @Override
    public ProcessIdentity start(Launch launch) {
        try {
            // Starts of before count against the unit's limit, and this one was asked for.
            run(DEADLINE, "reset-failed", unit(launch.id()));
        } catch (MpsException neverStarted) {
            // systemd does not know the unit yet, so there is nothing to forget.
        }
        run(DEADLINE, "start", unit(launch.id()));
        return running(launch)
                .orElseThrow(() -> new MpsException("the unit " + unit(launch.id())
                        + " was started and has no process: look at journalctl -u " + unit(launch.id())));
    }

    @Override
    public Optional<ProcessIdentity> running(Launch launch) {
        String pid = run(DEADLINE, "show", "--property=MainPID", "--value", unit(launch.id()))
                .strip();
        // 0 where the unit does not run.
        return pid.matches("[1-9][0-9]{0,9}") ? processes.identity(Long.parseLong(pid)) : Optional.empty();
    }

    @Override
    public boolean end(Launch launch, ProcessIdentity process, Duration within) {
        long end = clock.nanos() + within.toNanos();
        try {
            run(within.dividedBy(2), "stop", unit(launch.id()));
        } catch (MpsException late) {
            // The stop goes on, and so does not start it again.
            run(within.dividedBy(2), "kill", "--signal=SIGKILL", unit(launch.id()));
        }
        return awaitEnd(process, end);
    }

    /** A signal is sent before its process has gone. */
    private boolean awaitEnd(ProcessIdentity process, long end) {
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

    /** Also ends the wait for a start that systemd has planned. One that it has just made is stopped as a unit is. */
    @Override
    public void forget(Launch launch) {
        run(STOP, "stop", unit(launch.id()));
    }

    /** A unit that was stopped, or whose daemon was told to quit, is inactive. */
    @Override
    public Prospect prospect(Launch launch) {
        String state = run(DEADLINE, "show", "--property=ActiveState", "--value", unit(launch.id()))
                .strip();
        return switch (state) {
            case "failed" -> Prospect.GIVEN_UP;
            // Also "active", until systemd has seen its process end.
            case "active", "activating", "reloading", "deactivating" -> Prospect.RETURNS;
            default -> Prospect.NONE;
        };
    }

    @Override
    public String describe() {
        return "systemd unit gpu-agent-mps@ID.service";
    }

    /** Answers of systemctl fit into a pipe's buffer by far. */
    private String run(Duration deadline, String... arguments) {
        List<String> command = new ArrayList<>(List.of(systemctl, "--no-ask-password", "--no-pager"));
        command.addAll(List.of(arguments));
        long start = clock.nanos();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new MpsException("systemctl " + String.join(" ", arguments) + " has not come back within "
                        + Duration.ofNanos(clock.nanos() - start).toSeconds() + " s: look at systemctl list-jobs");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new MpsException("systemctl " + String.join(" ", arguments) + " failed: "
                        + output.strip().replaceAll("\\s+", " "));
            }
            return output;
        } catch (IOException e) {
            throw new MpsException(
                    "cannot run " + systemctl + ": " + e.getMessage() + "; is this machine's init systemd?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MpsException("interrupted while systemctl ran: look at systemctl list-jobs", e);
        }
    }
}
