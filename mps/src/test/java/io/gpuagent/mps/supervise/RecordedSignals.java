// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.PipeDirectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A machine's processes, with all signals that were sent to them. */
final class RecordedSignals implements ProcessTable {
    private final ProcessTable table;
    private final Clock clock;
    private final List<Sent> sent = new ArrayList<>();

    /** A signal: SIGKILL where {@code forcibly}, else SIGTERM. */
    record Sent(Instant at, long pid, boolean forcibly) {}

    RecordedSignals(ProcessTable table, Clock clock) {
        this.table = table;
        this.clock = clock;
    }

    List<Sent> sent() {
        return List.copyOf(sent);
    }

    @Override
    public void signal(ProcessIdentity process, boolean forcibly) {
        sent.add(new Sent(clock.now(), process.pid(), forcibly));
        table.signal(process, forcibly);
    }

    @Override
    public Optional<ProcessIdentity> identity(long pid) {
        return table.identity(pid);
    }

    @Override
    public OptionalLong uid(long pid) {
        return table.uid(pid);
    }

    @Override
    public Optional<String> name(long pid) {
        return table.name(pid);
    }

    @Override
    public Optional<Instant> startedAt(ProcessIdentity process) {
        return table.startedAt(process);
    }

    @Override
    public Optional<Boolean> isDaemonOf(long pid, PipeDirectory pipe) {
        return table.isDaemonOf(pid, pipe);
    }

    @Override
    public boolean isMarked(long pid, String id) {
        return table.isMarked(pid, id);
    }

    @Override
    public List<ProcessIdentity> serversOf(PipeDirectory pipe) {
        return table.serversOf(pipe);
    }

    @Override
    public List<ProcessIdentity> daemonsOf(PipeDirectory pipe) {
        return table.daemonsOf(pipe);
    }
}
