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
        try {
            run(within.dividedBy(2), "stop", unit(launch.id()));
        } catch (MpsException late) {
            run(within.dividedBy(2), "kill", "--signal=SIGKILL", unit(launch.id()));
        }
        return !processes.isAlive(process);
    }

    @Override
    public void forget(Launch launch) {
        run(DEADLINE, "stop", unit(launch.id()));
    }

    @Override
    public boolean restartsByItself() {
        return true;
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
