// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.Request;
import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.watch.EnvironmentSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Environments of processes of all users, for an agent that may read its own user's only: the others through the root
 * helper. A request starts a JVM, so each process is asked for once, all new ones in one request, and a helper that is not
 * there is left alone for a while. An environment as /proc shows it is the one that the program was started with, so it
 * stays true.
 */
public final class HelperEnvironments implements EnvironmentSource {
    /** How long it waits after a request that was refused. */
    static final Duration PAUSE = Duration.ofMinutes(1);
    /** How many processes are remembered; who was not asked for longest is forgotten first. */
    static final int MOST = 1024;

    private final EnvironmentSource own;
    private final HostView host;
    private final ControlPort helper;
    private final Clock clock;
    // A process whose environment even root could not read stands there without one.
    private final Map<ProcessIdentity, Optional<GpuEnvironment>> known;
    private long askAt;

    /**
     * Remembers nothing yet.
     *
     * @param host the machine
     * @param helper reads what this process may not
     * @param clock the time
     */
    public HelperEnvironments(HostView host, ControlPort helper, Clock clock) {
        this.own = EnvironmentSource.direct(host);
        this.host = host;
        this.helper = helper;
        this.clock = clock;
        this.askAt = clock.nanos();
        this.known = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ProcessIdentity, Optional<GpuEnvironment>> eldest) {
                return size() > MOST;
            }
        };
    }

    @Override
    public synchronized Map<Long, GpuEnvironment> read(List<Long> pids) {
        Map<Long, GpuEnvironment> found = new HashMap<>(own.read(pids));
        Map<Long, ProcessIdentity> unknown = new LinkedHashMap<>();
        for (long pid : pids) {
            Optional<ProcessIdentity> process = ProcessIdentity.of(host, pid);
            if (!found.containsKey(pid) && process.isPresent()) {
                Optional<GpuEnvironment> before = known.get(process.get());
                if (before == null) {
                    unknown.put(pid, process.get());
                } else {
                    before.ifPresent(environment -> found.put(pid, environment));
                }
            }
        }
        if (!unknown.isEmpty() && clock.nanos() - askAt >= 0) {
            ask(unknown).forEach(environment -> found.put(environment.process().pid(), environment));
        }
        return found;
    }

    private List<GpuEnvironment> ask(Map<Long, ProcessIdentity> unknown) {
        List<Long> pids = unknown.keySet().stream().limit(MOST).toList();
        Answer answer = helper.perform(new Request.ReadEnvironments(pids), Caller.silent());
        if (!(answer instanceof Answer.Done(Outcome.Environments(var read)))) {
            askAt = clock.nanos() + PAUSE.toNanos();
            return List.of();
        }
        List<GpuEnvironment> sure = new ArrayList<>();
        pids.forEach(pid -> known.put(unknown.get(pid), Optional.empty()));
        for (GpuEnvironment environment : read) {
            // The pid may have been given to another process since it was looked at here.
            if (environment.process().equals(unknown.get(environment.process().pid()))) {
                known.put(environment.process(), Optional.of(environment));
                sure.add(environment);
            }
        }
        return sure;
    }
}
