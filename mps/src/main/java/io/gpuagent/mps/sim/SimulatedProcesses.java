// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.supervise.ProcessTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The processes of a simulated machine. */
public final class SimulatedProcesses implements ProcessTable {
    private final SimulatedMachine machine;

    SimulatedProcesses(SimulatedMachine machine) {
        this.machine = machine;
    }

    private Optional<SimulatedMachine.Program> process(long pid) {
        return Optional.ofNullable(machine.running().get(pid));
    }

    @Override
    public Optional<ProcessIdentity> identity(long pid) {
        return process(pid).map(SimulatedMachine.Program::identity);
    }

    @Override
    public OptionalLong uid(long pid) {
        return process(pid).map(one -> OptionalLong.of(one.uid())).orElse(OptionalLong.empty());
    }

    @Override
    public Optional<String> name(long pid) {
        return process(pid).map(SimulatedMachine.Program::name);
    }

    @Override
    public Optional<Instant> startedAt(ProcessIdentity process) {
        return process(process.pid()).map(SimulatedMachine.Program::startedAt);
    }

    @Override
    public Optional<Boolean> isDaemonOf(long pid, PipeDirectory pipe) {
        return Optional.of(daemonsOf(pipe).stream().anyMatch(process -> process.pid() == pid));
    }

    @Override
    public boolean isMarked(long pid, String id) {
        return true;
    }

    @Override
    public List<ProcessIdentity> serversOf(PipeDirectory pipe) {
        return all(ControlProgram.SERVER_NAME, pipe);
    }

    @Override
    public List<ProcessIdentity> daemonsOf(PipeDirectory pipe) {
        return all(ControlProgram.NAME, pipe);
    }

    private List<ProcessIdentity> all(String name, PipeDirectory pipe) {
        return machine.running().values().stream()
                .filter(process -> process.name().equals(name) && process.pipe().equals(Optional.of(pipe.path())))
                .map(SimulatedMachine.Program::identity)
                .toList();
    }

    @Override
    public void signal(ProcessIdentity process, boolean forcibly) {
        if (identity(process.pid()).equals(Optional.of(process))) {
            machine.signal(process.pid(), forcibly);
        }
    }
}
