// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.host.HostException;
import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsBypass;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.ProcessOwners;
import io.gpuagent.mps.supervise.Surroundings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * What others do on this node. {@link #refresh} goes through /proc, which can take its time, and belongs on a slow
 * schedule of its own (10 s); all else answers out of that and the newest snapshot of NVML.
 */
public final class NodeSurroundings implements Surroundings {
    // The kernel keeps 15 characters: of a server "nvidia-cuda-mps".
    private static final String SERVER_IN_KERNEL = ControlProgram.SERVER_NAME.substring(0, 15);

    private static final int SHOWN = 5;

    private final MpsProcessScan scan;
    private final GpuUse gpus;
    private final LongFunction<Optional<String>> names;
    private final ProcessOwners owners;

    // An environment does not change while its process lives; read once between two looks at /proc.
    private final Map<Joining, Optional<String>> astray = new ConcurrentHashMap<>();

    private volatile MpsProcesses seen = MpsProcesses.NONE;
    private volatile Optional<String> blind = Optional.of("processes were not looked at yet");
    private volatile List<String> untold = List.of();

    /**
     * Knows nothing yet.
     *
     * @param scan finds MPS processes
     * @param gpus what NVML tells
     * @param names the kernel's name of a process by its pid; empty where it cannot be read
     * @param owners units and containers of processes
     */
    public NodeSurroundings(
            MpsProcessScan scan, GpuUse gpus, LongFunction<Optional<String>> names, ProcessOwners owners) {
        this.scan = scan;
        this.gpus = gpus;
        this.names = names;
        this.owners = owners;
    }

    private record Joining(long pid, Path pipe) {}

    /** Looks at /proc again. One thread at a time. */
    public void refresh() {
        astray.clear();
        try {
            seen = scan.look();
            blind = Optional.empty();
        } catch (HostException e) {
            seen = MpsProcesses.NONE;
            blind = Optional.of("MPS daemons of others are not seen: " + e.getMessage());
        }
    }

    @Override
    public List<ForeignMpsDaemon> foreign(List<MpsDaemonView> ours) {
        return ForeignDaemons.of(seen, ours);
    }

    @Override
    public List<MpsBypass> bypasses(List<MpsDaemonView> ours) {
        List<MpsBypass> found = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (MpsDaemonView daemon : ours) {
            // Without a daemon there is nothing to go past.
            if (daemon.pid().isPresent()) {
                for (String device : daemon.devices()) {
                    addBypasses(daemon, device, found, unknown);
                }
            }
            unreadable(daemon).ifPresent(unknown::add);
        }
        untold = List.copyOf(unknown);
        return List.copyOf(found);
    }

    @Override
    public List<MpsReason> reasons(MpsDaemonView daemon, List<MpsDaemonView> all) {
        List<ForeignMpsDaemon> others = foreign(all);
        return daemon.devices().stream()
                .flatMap(device -> gpus
                        .device(device)
                        .flatMap(GpuUse.Device::computeMode)
                        .flatMap(mode -> ExclusiveMode.without(device, mode, all, others))
                        .stream())
                .toList();
    }

    private void addBypasses(MpsDaemonView daemon, String device, List<MpsBypass> found, List<String> unknown) {
        Set<Long> servers = ForeignDaemons.serversOf(seen, daemon);
        Optional<List<BypassScan.Suspect>> suspects =
                gpus.device(device).flatMap(use -> BypassScan.suspects(use, servers));
        if (suspects.isEmpty()) {
            unknown.add("who computes on " + device + " past its MPS daemon " + daemon.id()
                    + " cannot be told: the driver lists no processes");
            return;
        }
        for (BypassScan.Suspect suspect : suspects.get()) {
            Optional<String> name = names.apply(suspect.pid());
            if (!isNewServer(suspect.pid(), name)) {
                found.add(new MpsBypass(
                        device,
                        suspect.pid(),
                        name,
                        owners.of(suspect.pid()),
                        suspect.memoryBytes(),
                        astray.computeIfAbsent(new Joining(suspect.pid(), daemon.pipe()), this::reason)));
            }
        }
    }

    private Optional<String> reason(Joining joining) {
        return scan.variables(joining.pid())
                .map(variables -> ExclusiveMode.astray(variables, joining.pipe())
                        .orElse(
                                "its environment names the daemon's pipe directory, so it began before the daemon or MPS"
                                        + " refused it: start it again"));
    }

    /** A server that started since /proc was looked at: whose it is shows the next time. */
    private boolean isNewServer(long pid, Optional<String> name) {
        return name.equals(Optional.of(SERVER_IN_KERNEL))
                && seen.servers().stream().noneMatch(server -> server.pid() == pid);
    }

    private static Optional<String> unreadable(MpsDaemonView daemon) {
        List<Long> pids = daemon.clients().stream()
                .filter(client -> client.ownShare().isEmpty())
                .map(MpsClientView::pid)
                .toList();
        return pids.isEmpty()
                ? Optional.empty()
                : Optional.of("environments of clients of the MPS daemon " + daemon.id()
                        + " cannot be read, so limits of their own, and whether they drop all limits of memory, are"
                        + " unknown; root can read them (pid " + shown(pids) + ")");
    }

    private static String shown(List<Long> pids) {
        String first = pids.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
        return pids.size() > SHOWN ? first + " and " + (pids.size() - SHOWN) + " more" : first;
    }

    @Override
    public List<String> limits() {
        List<String> limits = new ArrayList<>(untold);
        blind.ifPresent(limits::add);
        if (!seen.complete()) {
            limits.add(
                    "MPS daemons of others may be missing: /proc hides processes of other users (hidepid), or there are"
                            + " more than are looked at");
        }
        long hidden = seen.daemons().stream()
                .filter(daemon -> daemon.variables().isEmpty())
                .count();
        if (hidden > 0) {
            limits.add(
                    "the environments of " + hidden
                            + " MPS daemons cannot be read, so their pipe directories and devices are unknown; root can read them");
        }
        return List.copyOf(limits);
    }
}
