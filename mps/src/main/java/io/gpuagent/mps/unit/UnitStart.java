// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.CommandObserver;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Limits;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sets the limit of memory of a unit's daemon that has just been started, by whomever: by the agent, or by systemd after a
 * crash, when perhaps no agent runs. It is the one part of a share that a daemon does not take from its environment (tried
 * on an H200, driver 580.159.04). Between the daemon's first answer and this command a client can come in without it;
 * to keep clients out meanwhile would be worse, for a CUDA program that finds no daemon takes the whole GPU. Such a client
 * is named, and the next ones of its server have the limit.
 */
public final class UnitStart {
    /** How long the daemon may take to answer; 0.2 s on an H200. The agent's own start waits 30 s for the whole unit. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);

    /**
     * When it begins no other command. Each may take 10 s, and three follow one another at the most, so that it ends by
     * itself before systemd's TimeoutStartSec=, which would end the daemon with it.
     */
    private static final Duration LONGEST = Duration.ofSeconds(45);

    // A command to a daemon that is not there yet fails at once; a client that is quicker than this look has no limit.
    private static final Duration LOOK = Duration.ofMillis(10);

    private final ControlTransport transport;
    private final List<PinnedMemoryLimit> limits;
    private final Clock clock;
    private final Consumer<String> progress;

    /**
     * What became of it.
     *
     * @param inForce whether each device's default limit was read back
     * @param early clients that came before it, which may be without any
     */
    public record Outcome(boolean inForce, List<Long> early) {
        /** Takes a copy. */
        public Outcome {
            early = List.copyOf(early);
        }
    }

    /**
     * A start.
     *
     * @param transport the way to the daemon
     * @param limits the limit of each device in the order of the daemon's ordinals; none to set where empty
     * @param clock the time
     * @param progress hears what went wrong, and who came too early
     */
    public UnitStart(
            ControlTransport transport, List<PinnedMemoryLimit> limits, Clock clock, Consumer<String> progress) {
        this.transport = transport;
        this.limits = List.copyOf(limits);
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * The start of the unit in whose environment this process runs.
     *
     * @param host this machine and environment
     * @param clock the time
     * @param progress hears what went wrong
     * @return the start
     * @throws MpsException when this is not the environment of such a unit, or its limits cannot be read
     */
    public static UnitStart ofEnvironment(HostView host, Clock clock, Consumer<String> progress) {
        return new UnitStart(
                UnitDaemon.transport(host, clock, "to start a daemon by hand, use gpu-agent mps start"),
                limits(host.environment().getOrDefault(MpsEnvironment.MEMORY, "")),
                clock,
                progress);
    }

    /** As the agent writes them, {@code 0=4G,1=4G}: one for each device. */
    private static List<PinnedMemoryLimit> limits(String list) {
        List<PinnedMemoryLimit> limits = new ArrayList<>();
        if (list.isEmpty()) {
            return limits;
        }
        for (String entry : list.split(",", -1)) {
            String ordinal = limits.size() + "=";
            if (!entry.startsWith(ordinal)) {
                throw unreadable(list);
            }
            try {
                limits.add(PinnedMemoryLimit.parse(entry.substring(ordinal.length())));
            } catch (IllegalArgumentException e) {
                throw unreadable(list);
            }
        }
        return limits;
    }

    private static MpsException unreadable(String list) {
        return new MpsException(
                MpsEnvironment.MEMORY + "=" + list + " cannot be read, so no limit of memory is set; the"
                        + " agent writes it as 0=4G,1=4G, an entry for each device: run gpu-agent mps set");
    }

    /**
     * Sets what there is to set. Takes the daemon's time to answer, and some commands; 75 s at the worst.
     *
     * @return what became of it
     * @throws InterruptedException when this thread is interrupted
     */
    public Outcome run() throws InterruptedException {
        if (limits.isEmpty()) {
            return new Outcome(true, List.of());
        }
        long end = clock.nanos() + LONGEST.toNanos();
        // Asks the program alone, while the daemon is on its way.
        Answer<ControlClient> opened = ControlClient.open(transport, limits.size(), CommandObserver.NONE, clock);
        Answer<?> set = opened.value().isPresent() ? awaitDefaults(opened.orThrow()) : opened;
        if (set instanceof Answer.Refused<?> refused) {
            progress.accept("the limit of memory is not in force: " + refused.sentence()
                    + "; clients come without it until the agent or gpu-agent mps set sets it");
            return new Outcome(false, List.of());
        }
        return servers(opened.orThrow(), end);
    }

    private Answer<?> awaitDefaults(ControlClient client) throws InterruptedException {
        long end = clock.nanos() + PATIENCE.toNanos();
        while (true) {
            Answer<?> set = set(client.defaults());
            boolean notThereYet = set.refusal().equals(Optional.of(Refusal.NO_DAEMON));
            if (!notThereYet || clock.nanos() - end >= 0) {
                return set;
            }
            clock.sleepUntil(clock.nanos() + LOOK.toNanos());
        }
    }

    private Answer<?> set(Limits of) {
        Answer<?> done = of.setMemory(0, limits.getFirst());
        for (int device = 1; device < limits.size(); device++) {
            if (done instanceof Answer.Refused<?>) {
                return done;
            }
            done = of.setMemory(device, limits.get(device));
        }
        return done;
    }

    /** Those that a client has brought up before the default was set: its next clients have the limit. */
    private Outcome servers(ControlClient client, long end) {
        List<Long> early = new ArrayList<>();
        boolean inForce = true;
        for (long server : client.servers().value().orElse(List.of())) {
            if (clock.nanos() - end >= 0) {
                progress.accept("server " + server + " may have no limit of memory: there was no time left to set it");
                return new Outcome(false, early);
            }
            Answer<?> set = set(client.limits(server));
            early.addAll(client.clients(server).value().orElse(List.of()));
            boolean gone = set.refusal().equals(Optional.of(Refusal.NO_SUCH_SERVER));
            if (set instanceof Answer.Refused<?> refused && !gone) {
                inForce = false;
                progress.accept("server " + server + " came before the limit of memory was set and has none: "
                        + refused.sentence());
            }
        }
        if (!early.isEmpty()) {
            progress.accept(
                    "clients came before the limit of memory was set and may have none: " + early + "; restart them");
        }
        return new Outcome(inForce, early);
    }
}
