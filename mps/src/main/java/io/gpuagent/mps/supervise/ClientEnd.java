// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Ends the clients of a daemon that is stopped by force, each means behind a gentler one: SIGTERM, {@code
 * terminate_client}, and SIGKILL once their server has gone. NVIDIA's MPS documentation: a client that is killed with work
 * on the GPU leaves its server, and so its neighbours, in an undefined state.
 */
final class ClientEnd {
    private static final Duration LONGEST_STEP = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final LiveDaemon daemon;
    private final Consumer<String> say;
    private final List<ProcessIdentity> processes;

    /**
     * Knows the clients by their processes now: their pids may belong to others later.
     *
     * @param daemon whose clients
     * @param probe knows their processes
     * @param say hears of each step
     */
    ClientEnd(LiveDaemon daemon, ProcessProbe probe, Consumer<String> say) {
        this.daemon = daemon;
        this.say = say;
        processes = probe.clientProcesses();
    }

    private ProcessTable table() {
        return daemon.setup.ports().processes();
    }

    private List<ProcessIdentity> alive() {
        return processes.stream().filter(table()::isAlive).toList();
    }

    private static String pids(List<ProcessIdentity> some) {
        return some.stream().map(ProcessIdentity::pid).toList().toString();
    }

    /** SIGTERM, and some time to follow it. */
    void ask(long end) {
        List<ProcessIdentity> asked = alive();
        if (asked.isEmpty()) {
            return;
        }
        say.accept("clients " + pids(asked) + " are asked to end (SIGTERM)");
        asked.forEach(process -> table().signal(process, false));
        awaitEnd(Math.min(end, daemon.nanos() + LONGEST_STEP.toNanos()));
        for (ProcessIdentity process : asked) {
            if (!table().isAlive(process)) {
                daemon.see(new Observation.ProcessGone(daemon.now(), process.pid()));
            }
        }
    }

    /** Destroys the contexts of those that are left. */
    void terminate(long end) {
        ControlClient control = daemon.control().value().orElse(null);
        if (control == null) {
            return;
        }
        for (ClientPicture client : daemon.picture().clients().values()) {
            long left = Math.min(end - daemon.nanos(), LONGEST_STEP.toNanos());
            if (left <= 0) {
                say.accept("there was no time left to terminate client " + client.pid()
                        + "; it breaks when the daemon quits");
                continue;
            }
            Answer<?> answer = control.terminateClient(client.server(), client.pid(), Duration.ofNanos(left));
            if (answer instanceof Answer.Refused<?> refused) {
                say.accept("client " + client.pid() + " could not be terminated: " + refused.sentence());
                if (refused.why() == Refusal.TIMED_OUT) {
                    return;
                }
            } else {
                daemon.see(new Observation.Terminated(daemon.now(), client.pid()));
                say.accept("client " + client.pid() + " was terminated");
            }
        }
    }

    /** SIGKILL for those that have not ended with their server, which nobody shares any more. */
    void kill(long end) {
        List<ProcessIdentity> left = alive();
        if (left.isEmpty()) {
            return;
        }
        say.accept("clients " + pids(left) + " outlived their server and are killed (SIGKILL)");
        left.forEach(process -> table().signal(process, true));
        if (!awaitEnd(end)) {
            say.accept("clients " + pids(alive())
                    + " are still there, as one is that hangs in the driver or belongs to another user");
        }
    }

    private boolean awaitEnd(long end) {
        try {
            while (!alive().isEmpty()) {
                if (daemon.nanos() - end >= 0) {
                    return false;
                }
                daemon.sleep(LOOK);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
