// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.sim.SimulatedDaemon;
import io.gpuagent.mps.sim.SimulatedDevice;
import io.gpuagent.mps.sim.SimulatedMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A node with one or two simulated H200 on a clock that stands still; its supervision looks when a test says so. */
final class SimulatedNode {
    static final String UUID = "GPU-00000000-0000-0000-0000-000000000001";
    static final String OTHER = "GPU-00000000-0000-0000-0000-000000000002";
    static final String MIG = "MIG-00000000-0000-0000-0000-000000000003";
    static final String ID = "gpu-00000000";
    static final Share SMALL =
            Share.UNLIMITED.withThreads(ThreadPercentage.parse("25%")).withMemory(PinnedMemoryLimit.parse("8GiB"));

    final ManualClock clock = new ManualClock();
    final SimulatedMachine machine;
    final RecordedSignals signals;
    final SupervisionFolders folders;
    final Map<String, ComputeModes.Mode> modes = new HashMap<>();
    final List<String> progress = new ArrayList<>();
    final WatchedLauncher launcher;
    /** Whether whoever opens it next starts daemons again and puts things right. */
    boolean restarts = true;

    NodeSupervision supervision;
    /** What NVML tells; the machine's own devices at first. */
    GpuUse gpus;

    Surroundings surroundings = Surroundings.UNSEEN;
    long logCap = SupervisionSetup.DEFAULT_LOG_CAP_BYTES;

    SimulatedNode(Path folder) {
        SimulatedDevice card = SimulatedDevice.H200;
        machine = new SimulatedMachine(
                List.of(
                        card,
                        new SimulatedDevice(
                                OTHER, card.name(), card.pciId(), card.multiprocessors(), card.memoryBytes()),
                        // 1g.18gb of an H200: 16 of its multiprocessors and 16 GiB (nvidia-smi mig -lgip, driver 580).
                        new SimulatedDevice(MIG, card.name() + " MIG 1g.18gb", card.pciId(), 16, 16L << 30)),
                0,
                Duration.ZERO,
                clock);
        signals = new RecordedSignals(machine.processes(), clock);
        launcher = new WatchedLauncher(machine.launcher());
        folders = new SupervisionFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
        modes.put(UUID, ComputeModes.Mode.DEFAULT);
        modes.put(OTHER, ComputeModes.Mode.DEFAULT);
        gpus = machine.gpus();
        supervision = open();
    }

    NodeSupervision open() {
        ComputeModes memory = new ComputeModes() {
            @Override
            public Mode read(String gpu) throws ChangeRefused {
                Mode mode = modes.get(gpu);
                return mode == null ? ComputeModes.UNCHANGEABLE.read(gpu) : mode;
            }

            @Override
            public void set(String gpu, Mode mode) {
                modes.put(gpu, mode);
            }
        };
        SupervisionPorts ports = new SupervisionPorts(
                launcher,
                machine.transports(),
                signals,
                memory,
                gpus,
                ProcessOwners.UNKNOWN,
                ClientEnvironments.UNREADABLE,
                surroundings);
        HostView host = new HostView(Path.of("/"), Map.of("PATH", "/usr/bin:/bin"), 0);
        return new NodeSupervision(new SupervisionSetup(folders, ports, host, clock, ZoneOffset.UTC, restarts, logCap));
    }

    /** Another process of the agent takes over, without a word from the one before. */
    void restart() {
        supervision = open();
    }

    static DaemonWish wish(Share share) {
        return new DaemonWish(ID, List.of(UUID), share, false, false);
    }

    DaemonFolders daemonFolders() {
        return daemonFolders(ID);
    }

    DaemonFolders daemonFolders(String id) {
        return DaemonFolders.of(folders.runtime(), folders.log(), id);
    }

    SimulatedDaemon daemon() {
        return machine.daemon(daemonFolders()).orElseThrow();
    }

    SimulatedClient join(int uid) {
        return machine.join(daemonFolders(), uid, "python3", Map.of());
    }

    /** The commands that the daemon was sent and that begin so, oldest first. */
    List<String> commands(String beginning) throws IOException {
        return Files.readString(daemonFolders().controlLog())
                .lines()
                .filter(line -> line.contains("Cmd:" + beginning))
                .map(line -> line.substring(line.indexOf("Cmd:") + 4))
                .toList();
    }

    void start(Share share) throws ChangeRefused {
        supervision.start(wish(share), progress::add);
        quietSecond();
    }

    /** A second passes, and whoever watches looks. */
    void quietSecond() {
        clock.advance(Duration.ofSeconds(1));
        machine.tick();
        supervision.lookAtAll();
    }

    void pass(Duration time) {
        for (long i = 0; i < time.toSeconds(); i++) {
            quietSecond();
        }
    }

    /** What can throw. */
    interface Action {
        void run() throws Exception;
    }

    /** Runs something that waits, and lets time pass whenever it does. */
    void whileTimePasses(Action action) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread acting = Thread.ofPlatform().daemon().start(() -> {
            try {
                action.run();
                done.complete(true);
            } catch (Exception | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        while (!done.isDone()) {
            // A busy machine must not use up the deadlines of an action that is at work and waits for nothing.
            if (acting.getState() == Thread.State.WAITING || acting.getState() == Thread.State.TIMED_WAITING) {
                clock.advance(Duration.ofMillis(10));
                machine.tick();
            }
            Thread.onSpinWait();
        }
        try {
            done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    MpsDaemonView view() {
        return supervision.view().daemons().getFirst();
    }
}
