// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Exchange;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.Transports;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A machine in this process with simulated daemons, servers and CUDA programs, for supervision without a GPU: {@link
 * #launcher}, {@link #processes} and {@link #transports} stand for systemd, /proc and the sockets. Its folders are real.
 * Any thread may call.
 */
public final class SimulatedMachine {
    static final int VERSION = 13000;
    private static final long INIT = 1;
    private static final long CLIENT_BYTES = 340L << 20;

    private final Clock clock;
    private final int uid;
    private final Map<String, SimulatedDevice> devices;
    private final Function<String, Optional<SimulatedDevice>> others;
    private final Duration serverStart;
    private final Map<Path, SimulatedDaemon> daemons = new ConcurrentHashMap<>();
    private final Map<Long, Program> processes = new ConcurrentHashMap<>();
    private final Map<Long, Path> clients = new ConcurrentHashMap<>();
    private final Set<Long> stubborn = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextPid = new AtomicLong(1000);

    /** A process: of a daemon or server, {@code pipe} is its directory. */
    record Program(ProcessIdentity identity, String name, long uid, Instant startedAt, Optional<Path> pipe) {}

    /**
     * A machine.
     *
     * @param devices its GPUs and MIG devices
     * @param uid the user whose daemons run
     * @param serverStart how long a server initialises
     * @param clock the time
     */
    public SimulatedMachine(List<SimulatedDevice> devices, int uid, Duration serverStart, Clock clock) {
        this(devices, _ -> Optional.empty(), uid, serverStart, clock);
    }

    /**
     * A machine whose devices come and go.
     *
     * @param devices its GPUs
     * @param others knows MIG devices by UUID, as they are by then
     * @param uid the user whose daemons run
     * @param serverStart how long a server initialises
     * @param clock the time
     */
    public SimulatedMachine(
            List<SimulatedDevice> devices,
            Function<String, Optional<SimulatedDevice>> others,
            int uid,
            Duration serverStart,
            Clock clock) {
        this.others = others;
        this.devices = devices.stream().collect(Collectors.toMap(SimulatedDevice::uuid, device -> device));
        this.uid = uid;
        this.serverStart = serverStart;
        this.clock = clock;
        processes.put(INIT, new Program(new ProcessIdentity(INIT, 0), "init", 0, clock.now(), Optional.empty()));
    }

    int uid() {
        return uid;
    }

    Clock clock() {
        return clock;
    }

    Duration serverStart() {
        return serverStart;
    }

    Map<Long, Program> running() {
        return processes;
    }

    Map<Path, SimulatedDaemon> daemons() {
        return daemons;
    }

    boolean hasAll(List<String> uuids) {
        return uuids.stream().allMatch(uuid -> find(uuid).isPresent());
    }

    SimulatedDevice device(String uuid) {
        return find(uuid).orElse(SimulatedDevice.H200);
    }

    private Optional<SimulatedDevice> find(String uuid) {
        return Optional.ofNullable(devices.get(uuid)).or(() -> others.apply(uuid));
    }

    ProcessIdentity spawn(String name, long owner, Optional<Path> pipe) {
        long pid = nextPid.getAndIncrement();
        ProcessIdentity identity = new ProcessIdentity(pid, pid);
        processes.put(pid, new Program(identity, name, owner, clock.now(), pipe));
        return identity;
    }

    /**
     * Starts and ends daemons.
     *
     * @return the launcher
     */
    public SimulatedLauncher launcher() {
        return new SimulatedLauncher(this);
    }

    /**
     * Its processes.
     *
     * @return the table
     */
    public SimulatedProcesses processes() {
        return new SimulatedProcesses(this);
    }

    /**
     * The way to its daemons.
     *
     * @return the transports
     */
    public Transports transports() {
        return folders -> new Way(folders);
    }

    private final class Way implements ControlTransport {
        private final DaemonFolders folders;

        Way(DaemonFolders folders) {
            this.folders = folders;
        }

        @Override
        public Exchange send(String command, Duration deadline) {
            SimulatedDaemon daemon = daemons.get(folders.pipe().path());
            return daemon == null
                    ? new Exchange.Completed(
                            Reply.NO_DAEMON.text(), "", Reply.NO_DAEMON.exitStatus(), false, Duration.ZERO)
                    : new SimulatedTransport(() -> daemon, uid, clock).send(command, deadline);
        }

        @Override
        public Exchange version(Duration deadline) {
            return new Exchange.Completed(SimulatedTransport.versionText(VERSION), "", 0, false, Duration.ZERO);
        }
    }

    /**
     * What NVML would tell of its devices.
     *
     * @return its devices, with the memory of their clients
     */
    public GpuUse gpus() {
        return new GpuUse() {
            @Override
            public Optional<Device> device(String uuid) {
                return find(uuid).map(SimulatedMachine.this::use);
            }

            @Override
            public boolean isComplete() {
                return true;
            }

            @Override
            public boolean listsMigDevices() {
                return true;
            }
        };
    }

    private GpuUse.Device use(SimulatedDevice device) {
        Map<Long, OptionalLong> memory = clients.entrySet().stream()
                .filter(client -> Optional.ofNullable(daemons.get(client.getValue()))
                        .filter(daemon -> daemon.setup().devices().getFirst().equals(device))
                        .isPresent())
                .collect(Collectors.toMap(Map.Entry::getKey, _ -> OptionalLong.of(CLIENT_BYTES)));
        return new GpuUse.Device(
                // Hopper's, which all simulated devices with MPS are.
                Optional.of("9.0"),
                OptionalInt.of(device.multiprocessors()),
                OptionalLong.of(device.memoryBytes()),
                Optional.of(memory),
                Optional.of(memory),
                Optional.empty());
    }

    /**
     * The daemon that lives in some folders.
     *
     * @param folders its folders
     * @return the daemon, for example to make it hang; empty where none runs
     */
    public Optional<SimulatedDaemon> daemon(DaemonFolders folders) {
        return Optional.ofNullable(daemons.get(folders.pipe().path()));
    }

    /**
     * A CUDA program starts.
     *
     * @param folders where it looks for its daemon
     * @param user its user
     * @param name its name
     * @param environment its environment
     * @return what becomes of it
     */
    public SimulatedClient join(DaemonFolders folders, int user, String name, Map<String, String> environment) {
        Path pipe = folders.pipe().path();
        long pid = spawn(name, user, Optional.empty()).pid();
        ClientProgram program = new ClientProgram(pid, user, name, environment, false);
        SimulatedDaemon daemon = daemons.get(pipe);
        if (daemon == null) {
            processes.remove(pid);
            SimulatedClient refused = new SimulatedClient(program);
            refused.become(SimulatedClient.State.RPC_FAILURE);
            return refused;
        }
        clients.put(pid, pipe);
        return daemon.join(program);
    }

    /**
     * A CUDA program ends, however it does.
     *
     * @param pid its pid
     */
    public void leave(long pid) {
        processes.remove(pid);
        stubborn.remove(pid);
        Path pipe = clients.remove(pid);
        SimulatedDaemon daemon = pipe == null ? null : daemons.get(pipe);
        if (daemon != null) {
            daemon.leave(pid);
        }
    }

    /**
     * SIGKILL for a daemon or a server.
     *
     * @param pid its pid
     */
    public void kill(long pid) {
        Program process = processes.get(pid);
        if (process == null) {
            return;
        }
        process.pipe().map(daemons::get).ifPresent(daemon -> {
            if (daemon.setup().pid() == pid) {
                daemon.kill();
            } else {
                daemon.serverDied(pid, 128 + 9);
            }
        });
    }

    /**
     * A CUDA program takes no notice of SIGTERM, as one that hangs does.
     *
     * @param pid its pid
     */
    public void ignoreTerm(long pid) {
        stubborn.add(pid);
    }

    /**
     * A CUDA program has ended unseen by its daemon, and another process has its pid.
     *
     * @param pid the pid
     */
    public void reusePid(long pid) {
        clients.remove(pid);
        processes.put(
                pid,
                new Program(
                        new ProcessIdentity(pid, nextPid.getAndIncrement()), "bash", 0, clock.now(), Optional.empty()));
    }

    /** A signal ends a CUDA program that does not ignore it, and daemons and servers at once. */
    void signal(long pid, boolean forcibly) {
        if (!clients.containsKey(pid)) {
            kill(pid);
        } else if (forcibly || !stubborn.contains(pid)) {
            leave(pid);
        }
    }

    /** Lets happen what is due. */
    public void tick() {
        daemons.values().forEach(SimulatedDaemon::tick);
    }
}
