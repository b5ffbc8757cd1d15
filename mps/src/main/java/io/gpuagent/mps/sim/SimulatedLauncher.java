// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.supervise.DaemonLauncher;
import io.gpuagent.mps.supervise.EnvironmentFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Runs simulated daemons, with the environment that stands in their files, as a real launcher does. */
public final class SimulatedLauncher implements DaemonLauncher {
    private final SimulatedMachine machine;

    SimulatedLauncher(SimulatedMachine machine) {
        this.machine = machine;
    }

    @Override
    public ProcessIdentity start(Launch launch) {
        Path pipe = launch.folders().pipe().path();
        Map<String, String> environment = new EnvironmentFile(launch.environment()).read();
        ProcessIdentity process = machine.spawn(ControlProgram.NAME, machine.uid(), Optional.of(pipe));
        PipeFiles files = new PipeFiles(launch.folders());
        files.make(process.pid());
        SimulatedSetup setup = SimulatedSetup.h200(launch.folders())
                .withVersion(SimulatedMachine.VERSION)
                .withDevices(launch.devices().stream().map(machine::device).toList())
                .withProcess(process.pid(), machine.uid())
                .withMultiUser(launch.multiUser())
                .withEnvironment(environment)
                .withServerTimes(machine.serverStart(), Duration.ZERO);
        SimulatedHost host = new SimulatedHost() {
            @Override
            public long startServer(int uid) {
                return machine.spawn(ControlProgram.SERVER_NAME, uid, Optional.of(pipe))
                        .pid();
            }

            @Override
            public void endServer(long pid) {
                machine.running().remove(pid);
            }

            @Override
            public void daemonEnded(boolean orderly) {
                machine.running().remove(process.pid());
                machine.daemons().remove(pipe);
                if (orderly) {
                    files.clearAfterQuit();
                }
            }
        };
        SimulatedDaemon daemon = new SimulatedDaemon(setup, host, machine.clock());
        machine.daemons().put(pipe, daemon);
        if (!machine.hasAll(launch.devices())) {
            // With status 100 and no text (captured on an H200).
            daemon.kill();
        }
        return process;
    }

    @Override
    public Optional<ProcessIdentity> running(Launch launch) {
        return machine.processes().daemonsOf(launch.folders().pipe()).stream().findFirst();
    }

    @Override
    public boolean end(Launch launch, ProcessIdentity process, Duration within) {
        machine.kill(process.pid());
        return true;
    }

    @Override
    public void forget(Launch launch) {
        // Nothing is kept of a simulated process.
    }

    @Override
    public Prospect prospect(Launch launch) {
        return Prospect.NONE;
    }

    @Override
    public String describe() {
        return "simulated daemon";
    }
}
