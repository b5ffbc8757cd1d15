// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.mps.HelperEnvironments;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.mps.SnapshotGpuUse;
import io.gpuagent.agent.poll.GpuReleases;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.NvmlComputeModes;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.wire.HelperPort;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ProcessTransport;
import io.gpuagent.mps.sim.SimulatedMachine;
import io.gpuagent.mps.supervise.ClientEnvironments;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonLauncher;
import io.gpuagent.mps.supervise.DetachedLauncher;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.ProcTable;
import io.gpuagent.mps.supervise.ProcessOwners;
import io.gpuagent.mps.supervise.ProcessTable;
import io.gpuagent.mps.supervise.SupervisionFolders;
import io.gpuagent.mps.supervise.SupervisionPorts;
import io.gpuagent.mps.supervise.SupervisionSetup;
import io.gpuagent.mps.supervise.Surroundings;
import io.gpuagent.mps.supervise.SystemdLauncher;
import io.gpuagent.mps.supervise.Transports;
import io.gpuagent.mps.watch.CachedOwners;
import io.gpuagent.mps.watch.EnvironmentReader;
import io.gpuagent.mps.watch.EnvironmentSource;
import io.gpuagent.mps.watch.MpsProcessScan;
import io.gpuagent.mps.watch.NodeSurroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Puts the supervision of MPS together: over this machine, or over simulated daemons in this process. Who may change
 * this machine follows from the user: root and a user's own agent do it themselves, the system's agent has the root
 * helper do it.
 */
final class MpsWiring implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MpsWiring.class.getName());
    private static final Duration SURROUNDINGS = Duration.ofSeconds(10);

    private final MpsSupervision supervision;
    private final MpsService service;
    private final Function<Requester, ControlPort> changes;
    private final Optional<NodeSurroundings> surroundings;
    private final Optional<SimulatedMachine> simulation;
    private final Clock clock;
    private final boolean demonstrates;
    private Optional<Thread> looking = Optional.empty();
    private Optional<SimulatedPrograms> programs = Optional.empty();

    private MpsWiring(
            MpsSupervision supervision,
            MpsService service,
            Function<Requester, ControlPort> changes,
            Optional<NodeSurroundings> surroundings,
            Optional<SimulatedMachine> simulation,
            Parts parts) {
        this.supervision = supervision;
        this.service = service;
        this.changes = changes;
        this.surroundings = surroundings;
        this.simulation = simulation;
        this.clock = parts.clock();
        this.demonstrates = parts.nvml().demonstrates();
    }

    /**
     * What is put together.
     *
     * @param nvml the driver, or its simulation
     * @param folders the agent's folders
     * @param host the machine
     * @param snapshots the GPUs
     * @param releases has GPUs let go of; empty where this process polls none
     * @param clock the time
     * @param watches whether daemons are watched and restarted, and not only looked at once
     * @param logCapBytes bytes that each log of a daemon may have
     */
    record Parts(
            NvmlAccess nvml,
            RuntimeFolders.Chosen folders,
            HostView host,
            Supplier<NodeSnapshot> snapshots,
            Optional<GpuReleases> releases,
            Clock clock,
            boolean watches,
            long logCapBytes) {
        SupervisionFolders places() {
            Path log = folders.system() && !folders.simulated()
                    ? host.path("/var/log/gpu-agent")
                    : folders.state().resolve("log");
            return new SupervisionFolders(folders.runtime(), folders.state(), log);
        }

        boolean mayChange() {
            return host.isRoot() || !folders.system() || folders.simulated();
        }
    }

    static MpsWiring open(Parts parts) {
        return parts.nvml().simulation().isPresent() ? simulated(parts) : real(parts);
    }

    private static MpsWiring simulated(Parts parts) {
        Clock clock = parts.clock();
        SimulatedMachine machine = new SimulatedMachine(
                SimulatedCards.of(parts.nvml().simulation().get(), clock),
                uuid -> SimulatedCards.mig(parts.snapshots().get(), uuid),
                parts.host().uid(),
                Duration.ZERO,
                clock);
        return open(
                parts,
                new SupervisionPorts(
                        machine.launcher(),
                        machine.transports(),
                        machine.processes(),
                        modes(parts),
                        new SimulatedUse(new SnapshotGpuUse(parts.snapshots()), machine.gpus()),
                        ProcessOwners.UNKNOWN,
                        ClientEnvironments.UNREADABLE,
                        Surroundings.UNSEEN),
                Optional.empty(),
                Optional.of(machine),
                // As simulated logs have it.
                ZoneOffset.UTC);
    }

    private static MpsWiring real(Parts parts) {
        HostView host = parts.host();
        Optional<ControlProgram> program = ControlProgram.find(host);
        ProcessTable processes = new ProcTable(host);
        GpuUse gpus = new SnapshotGpuUse(parts.snapshots());
        ProcessOwners owners = new CachedOwners(host, CachedOwners.MOST);
        EnvironmentSource environments = environments(parts);
        NodeSurroundings surroundings =
                new NodeSurroundings(new MpsProcessScan(host, environments), gpus, processes::name, owners);
        NoProgram none = new NoProgram();
        Transports transports = program.<Transports>map(found ->
                        folders -> new ProcessTransport(found, MpsEnvironment.ofCommand(host, folders), parts.clock()))
                .orElse(none);
        return open(
                parts,
                new SupervisionPorts(
                        program.map(found -> launcher(parts, found, processes)).orElse(none),
                        transports,
                        processes,
                        modes(parts),
                        gpus,
                        owners,
                        new EnvironmentReader(environments),
                        surroundings),
                Optional.of(surroundings),
                Optional.empty(),
                ZoneId.systemDefault());
    }

    /** Clients are other users' programs: root may read what they were started with, and for the package's user it does. */
    private static EnvironmentSource environments(Parts parts) {
        return parts.mayChange()
                ? EnvironmentSource.direct(parts.host())
                : new HelperEnvironments(parts.host(), helper(parts), parts.clock());
    }

    static HelperPort helper(Parts parts) {
        return new HelperPort(parts.folders().runtime().resolve(HelperPort.SOCKET), parts.clock());
    }

    /** The system's daemons have units of their own; a user's, and those in containers, are detached processes. */
    private static DaemonLauncher launcher(Parts parts, ControlProgram program, ProcessTable processes) {
        Path systemctl = parts.host().path("/usr/bin/systemctl");
        boolean systemd = Files.isDirectory(parts.host().path("/run/systemd/system")) && Files.isExecutable(systemctl);
        return parts.folders().system() && systemd
                ? new SystemdLauncher(systemctl.toString(), processes, parts.clock())
                : new DetachedLauncher(program, processes, parts.clock());
    }

    static ComputeModes modes(Parts parts) {
        return new NvmlComputeModes(parts.nvml()::symbols, parts.clock());
    }

    private static MpsWiring open(
            Parts parts,
            SupervisionPorts ports,
            Optional<NodeSurroundings> surroundings,
            Optional<SimulatedMachine> simulation,
            ZoneId zone) {
        SupervisionFolders places = parts.places();
        MpsSupervision supervision = MpsSupervision.open(new SupervisionSetup(
                places,
                ports,
                parts.host(),
                parts.clock(),
                zone,
                parts.watches() && parts.mayChange(),
                parts.logCapBytes()));
        Function<Requester, ControlPort> changes = ControlPorts.of(parts, () -> supervision, ports.modes());
        surroundings.ifPresent(NodeSurroundings::refresh);
        MpsService service = new MpsService(supervision, changes, parts.snapshots(), parts.releases());
        return new MpsWiring(supervision, service, changes, surroundings, simulation, parts);
    }

    MpsService service() {
        return service;
    }

    /** Who makes changes of anything. */
    Function<Requester, ControlPort> changes() {
        return changes;
    }

    /** The simulated machine; empty for a real one. */
    Optional<SimulatedMachine> simulation() {
        return simulation;
    }

    /** Begins to watch: adopts what runs. */
    void watch() {
        supervision.watch();
        programs = simulation
                .filter(_ -> demonstrates)
                .map(machine -> SimulatedPrograms.start(machine, supervision, clock));
        looking = surroundings.map(
                others -> Thread.ofPlatform().name("mps-surroundings").daemon().start(() -> look(others)));
    }

    private void look(NodeSurroundings others) {
        try {
            while (true) {
                clock.sleepUntil(clock.nanos() + SURROUNDINGS.toNanos());
                others.refresh();
            }
        } catch (InterruptedException e) {
            // close() ends it.
        }
    }

    /** Stops watching; all daemons go on. */
    @Override
    public void close() {
        looking.ifPresent(Thread::interrupt);
        programs.ifPresent(SimulatedPrograms::close);
        try {
            supervision.close();
        } catch (MpsException e) {
            LOG.log(WARNING, "the supervision of MPS did not close cleanly: {0}", e.getMessage());
        }
    }
}
