// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsBypass;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsCounters;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Views of MPS as tests need them, on the GPUs of {@link SampleSnapshots}; figures are those of a captured H200. */
public final class SampleMps {
    /** The first GPU of {@link SampleSnapshots#h200}. */
    public static final String GPU_0 = "GPU-00000000-0000-0000-0000-000000000001";
    /** The second one. */
    public static final String GPU_1 = "GPU-00000000-0000-0000-0000-000000000002";

    private static final Instant NOW = SampleSnapshots.TAKEN_AT;
    private static final Share SIXTY =
            Share.UNLIMITED.withThreads(new ThreadPercentage(600)).withPriority(ClientPriority.NORMAL);
    private static final Share QUARTER =
            SIXTY.withThreads(new ThreadPercentage(250)).withMemory(new PinnedMemoryLimit(8192));

    private SampleMps() {}

    /**
     * No daemon at all.
     *
     * @return the view
     */
    public static MpsNodeView none() {
        return new MpsNodeView(1, NOW, List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /**
     * One daemon on the first GPU with two clients: one that came under 60 %, before the share was set to 25 % and
     * 8 GiB, and one that came after.
     *
     * @return the view
     */
    public static MpsNodeView shared() {
        return new MpsNodeView(
                7,
                NOW,
                List.of(daemon()),
                List.of(),
                List.of(),
                List.of(new MpsDeviceLoad(GPU_0, OptionalDouble.of(110 / 132.0), OptionalDouble.empty())),
                List.of(),
                List.of());
    }

    /**
     * The daemon of {@link #shared} with a user that waits and a client that drops its limits; a group that died too
     * often, a daemon on a MIG device that has no server yet, a process past all limits, and a daemon of somebody else.
     *
     * @return the view
     */
    public static MpsNodeView troubled() {
        MpsDaemonView daemon = daemon();
        MpsClientView escaped = daemon.clients().getLast();
        return new MpsNodeView(
                9,
                NOW,
                List.of(
                        with(
                                daemon,
                                List.of(daemon.clients().getFirst(), escaped(escaped)),
                                List.of(new MpsPendingView(1000, 4711, NOW.minus(Duration.ofSeconds(45)))),
                                List.of(
                                        new MpsReason(
                                                "mps_escape",
                                                "client 540 names a GPU that it cannot see in"
                                                        + " CUDA_MPS_PINNED_DEVICE_MEM_LIMIT, so that no memory limit holds"
                                                        + " for it"),
                                        new MpsReason(
                                                "mps_pending_user",
                                                "a client of user 1000 has waited 45 s for the clients of user 0 to end;"
                                                        + " --multi-user lets them in side by side"))),
                        idle("mig-0f6e2d41", List.of("MIG-0f6e2d41-0000-0000-0000-000000000001")),
                        crashed()),
                List.of(new ForeignMpsDaemon(
                        321, OptionalLong.of(0), Optional.of(Path.of("/tmp/nvidia-mps")), List.of(), List.of(322L))),
                List.of(new MpsBypass(
                        GPU_0,
                        777,
                        Optional.of("train.py"),
                        ProcessOwnerView.UNKNOWN,
                        OptionalLong.of(1L << 30),
                        Optional.of("CUDA_MPS_PIPE_DIRECTORY is not set in its environment, so it looks for a daemon in"
                                + " a default directory: set it to /run/gpu-agent/mps/gpu-00000000/pipe"))),
                List.of(
                        new MpsDeviceLoad(GPU_0, OptionalDouble.of(110 / 132.0), OptionalDouble.empty()),
                        new MpsDeviceLoad(GPU_1, OptionalDouble.empty(), OptionalDouble.empty())),
                List.of(new MpsReason(
                        "mps_exclusive_without_daemon",
                        GPU_1
                                + " is in compute mode EXCLUSIVE_PROCESS and no MPS daemon serves it: start a daemon for it,"
                                + " or set the mode to DEFAULT")),
                List.of("environments of other users' clients cannot be read: install the root helper"));
    }

    /**
     * A daemon with two clients under different limits.
     *
     * @return the daemon of {@link #shared}
     */
    public static MpsDaemonView daemon() {
        return new MpsDaemonView(
                "gpu-00000000",
                List.of(GPU_0),
                MpsState.ACTIVE,
                Optional.empty(),
                OptionalLong.of(490),
                Optional.of(NOW.minus(Duration.ofHours(3))),
                Path.of("/run/gpu-agent/mps/gpu-00000000/pipe"),
                Path.of("/var/log/gpu-agent/mps/gpu-00000000"),
                0,
                false,
                true,
                QUARTER,
                Optional.of(QUARTER),
                Optional.of(NOW.minus(Duration.ofSeconds(20))),
                List.of(new MpsServerView(
                        573,
                        OptionalLong.of(0),
                        "ACTIVE",
                        Optional.of(QUARTER),
                        Optional.of(NOW.minus(Duration.ofHours(2))))),
                List.of(
                        client(539, "inference", "inference@3.service", SIXTY, 78, true, 340L << 20),
                        client(540, "train.py", "", QUARTER, 32, false, 512L << 20)),
                List.of(),
                48,
                new MpsCounters(1, 2, 1, 0, 0, 21, 0),
                List.of(),
                Optional.empty());
    }

    private static MpsClientView client(
            long pid, String name, String unit, Share share, int multiprocessors, boolean old, long memory) {
        return new MpsClientView(
                pid,
                Optional.of(name),
                OptionalLong.of(0),
                unit.isEmpty()
                        ? new ProcessOwnerView(Optional.empty(), Optional.of("c0ffee00".repeat(8)), Optional.empty())
                        : new ProcessOwnerView(Optional.of(unit), Optional.empty(), Optional.empty()),
                573,
                1,
                OptionalLong.of(memory),
                Optional.of(NOW.minus(Duration.ofMinutes(old ? 90 : 5))),
                Optional.of(share),
                Optional.of(Share.UNLIMITED),
                Optional.of(old),
                OptionalInt.of(multiprocessors),
                Optional.empty());
    }

    private static MpsClientView escaped(MpsClientView client) {
        return new MpsClientView(
                client.pid(),
                client.name(),
                client.uid(),
                client.owner(),
                client.server(),
                2,
                client.memoryBytes(),
                Optional.empty(),
                Optional.empty(),
                client.ownShare(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.of("its CUDA_MPS_PINNED_DEVICE_MEM_LIMIT names GPU 1, which it cannot see"));
    }

    private static MpsDaemonView with(
            MpsDaemonView daemon, List<MpsClientView> clients, List<MpsPendingView> pending, List<MpsReason> reasons) {
        return new MpsDaemonView(
                daemon.id(),
                daemon.devices(),
                daemon.state(),
                daemon.detail(),
                daemon.pid(),
                daemon.startedAt(),
                daemon.pipe(),
                daemon.log(),
                daemon.uid(),
                daemon.multiUser(),
                daemon.exclusiveProcess(),
                daemon.wanted(),
                daemon.inForce(),
                daemon.inForceAt(),
                daemon.servers(),
                clients,
                pending,
                daemon.clientSlots(),
                daemon.counters(),
                reasons,
                Optional.empty());
    }

    private static MpsDaemonView idle(String id, List<String> devices) {
        return new MpsDaemonView(
                id,
                devices,
                MpsState.IDLE,
                Optional.empty(),
                OptionalLong.of(611),
                Optional.of(NOW.minus(Duration.ofMinutes(1))),
                Path.of("/run/gpu-agent/mps").resolve(id).resolve("pipe"),
                Path.of("/var/log/gpu-agent/mps").resolve(id),
                0,
                true,
                false,
                Share.UNLIMITED,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                48,
                MpsCounters.NONE,
                List.of(),
                Optional.empty());
    }

    private static MpsDaemonView crashed() {
        return new MpsDaemonView(
                "pair",
                List.of(GPU_1, "GPU-00000000-0000-0000-0000-000000000003"),
                MpsState.CRASHLOOP,
                Optional.of("it died 5 times in 10 minutes; gpu-agent mps start pair tries again"),
                OptionalLong.empty(),
                Optional.empty(),
                Path.of("/run/gpu-agent/mps/pair/pipe"),
                Path.of("/var/log/gpu-agent/mps/pair"),
                0,
                false,
                false,
                SIXTY,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                48,
                new MpsCounters(5, 0, 5, 1, 2, 40, 3),
                List.of(new MpsReason("mps_crash_loop", "the daemon dies again and again; read its control.log")),
                Optional.empty());
    }
}
