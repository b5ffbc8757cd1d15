// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsCounters;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.model.mps.ProcessOwnerView;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.GpuUse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Daemons, clients and devices that tests need. */
public final class Views {
    /** The size of the captured H200: nvidia-smi -q, driver 580.159.04, and its 132 multiprocessors. */
    public static final long MEMORY = 150_754_820_096L;

    public static final int MULTIPROCESSORS = 132;
    public static final String GPU = "GPU-5c3d1a2b-0000-0000-0000-000000000001";
    public static final Path PIPE = Path.of("/run/gpu-agent/mps/gpu-5c3d1a2b/pipe");

    private Views() {}

    public static MpsDaemonView daemon(
            MpsState state, OptionalLong pid, List<Long> servers, List<MpsClientView> clients) {
        return daemon(List.of(GPU), state, pid, servers, clients);
    }

    public static MpsDaemonView daemon(
            List<String> devices, MpsState state, OptionalLong pid, List<Long> servers, List<MpsClientView> clients) {
        return new MpsDaemonView(
                "gpu-5c3d1a2b",
                devices,
                state,
                Optional.empty(),
                pid,
                Optional.empty(),
                PIPE,
                Path.of("/var/log/gpu-agent/mps/gpu-5c3d1a2b"),
                0,
                false,
                false,
                Share.UNLIMITED,
                Optional.empty(),
                Optional.empty(),
                servers.stream()
                        .map(server -> new MpsServerView(
                                server, OptionalLong.of(0), "ACTIVE", Optional.empty(), Optional.empty()))
                        .toList(),
                clients,
                List.of(),
                48,
                MpsCounters.NONE,
                List.of(),
                Optional.empty());
    }

    public static MpsClientView client(long pid, Optional<Share> server, Optional<Share> own, Optional<String> escape) {
        return new MpsClientView(
                pid,
                Optional.of("python3"),
                OptionalLong.of(0),
                ProcessOwnerView.UNKNOWN,
                573,
                1,
                OptionalLong.empty(),
                Optional.empty(),
                server,
                own,
                Optional.empty(),
                OptionalInt.empty(),
                escape);
    }

    public static Share share(String threads, String memory) {
        return new Share(
                threads.isEmpty() ? Optional.empty() : Optional.of(ThreadPercentage.parse(threads)),
                memory.isEmpty() ? Optional.empty() : Optional.of(PinnedMemoryLimit.parse(memory)),
                Optional.empty());
    }

    public static Optional<Map<Long, OptionalLong>> processes(long... pids) {
        Map<Long, OptionalLong> memory = new HashMap<>();
        LongStream.of(pids).forEach(pid -> memory.put(pid, OptionalLong.of(pid << 20)));
        return Optional.of(memory);
    }

    public static GpuUse.Device device(
            Optional<Map<Long, OptionalLong>> mpsClients, Optional<Map<Long, OptionalLong>> computing) {
        return new GpuUse.Device(
                Optional.of("9.0"),
                OptionalInt.of(MULTIPROCESSORS),
                OptionalLong.of(MEMORY),
                mpsClients,
                computing,
                Optional.of(ComputeModes.Mode.DEFAULT));
    }
}
