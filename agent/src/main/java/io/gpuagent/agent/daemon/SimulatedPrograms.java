// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.sim.ScriptedClients;
import io.gpuagent.mps.sim.SimulatedMachine;
import io.gpuagent.mps.supervise.MpsSupervision;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** CUDA programs that come to simulated daemons and go, so that a demonstration has clients to show. */
final class SimulatedPrograms implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final SimulatedMachine machine;
    private final MpsSupervision supervision;
    private final Clock clock;
    private final Map<String, ScriptedClients> programs = new HashMap<>();
    private final Thread thread;

    private SimulatedPrograms(SimulatedMachine machine, MpsSupervision supervision, Clock clock) {
        this.machine = machine;
        this.supervision = supervision;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name("mps-programs").daemon().unstarted(this::run);
    }

    static SimulatedPrograms start(SimulatedMachine machine, MpsSupervision supervision, Clock clock) {
        SimulatedPrograms programs = new SimulatedPrograms(machine, supervision, clock);
        programs.thread.start();
        return programs;
    }

    private void run() {
        try {
            while (true) {
                clock.sleepUntil(clock.nanos() + EVERY.toNanos());
                supervision.view().daemons().forEach(this::look);
            }
        } catch (InterruptedException e) {
            // close() ends it.
        }
    }

    /** A daemon that was started anew has none of the former one's programs. */
    private void look(MpsDaemonView daemon) {
        if (daemon.pid().isEmpty()) {
            programs.remove(daemon.id());
        } else {
            programs.computeIfAbsent(
                            daemon.id(),
                            id -> new ScriptedClients(
                                    machine,
                                    new DaemonFolders(new PipeDirectory(daemon.pipe()), daemon.log()),
                                    ScriptedClients.DEMONSTRATION))
                    .tick();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
