// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How far the clients' limits share out a device, or share it twice. Only limits that a server enforces count: without a
 * daemon that answers, a share is a wish and no limit.
 */
final class DeviceLoad {
    private static final Set<MpsState> ENFORCING = Set.of(
            MpsState.IDLE,
            MpsState.INITIALIZING,
            MpsState.ACTIVE,
            MpsState.FAULT,
            MpsState.RECOVERING,
            MpsState.DRAINING);

    private DeviceLoad() {}

    /**
     * Adds the clients' limits up.
     *
     * @param device a device of the daemon
     * @param gpu what NVML tells of it
     * @param state the daemon's state
     * @param clients those of its clients that may use the device
     * @return the load; each ratio is empty where a client's limit is not known, or none holds
     */
    static MpsDeviceLoad of(String device, Optional<GpuUse.Device> gpu, MpsState state, List<MpsClientView> clients) {
        if (!ENFORCING.contains(state)) {
            return new MpsDeviceLoad(device, OptionalDouble.empty(), OptionalDouble.empty());
        }
        return new MpsDeviceLoad(device, multiprocessors(gpu, clients), memory(gpu, clients));
    }

    private static OptionalDouble multiprocessors(Optional<GpuUse.Device> gpu, List<MpsClientView> clients) {
        OptionalInt all = gpu.map(GpuUse.Device::multiprocessors).orElse(OptionalInt.empty());
        if (all.isEmpty() || all.getAsInt() == 0) {
            return OptionalDouble.empty();
        }
        long sum = 0;
        for (MpsClientView client : clients) {
            Optional<ThreadPercentage> threads = threads(client);
            if (threads.isEmpty()) {
                return OptionalDouble.empty();
            }
            sum += threads.get().multiprocessors(all.getAsInt());
        }
        return OptionalDouble.of(sum / (double) all.getAsInt());
    }

    /** What the server allows is the most, also where the client's own environment, which can only lower it, is unknown. */
    private static Optional<ThreadPercentage> threads(MpsClientView client) {
        return client.serverShare()
                .map(allowed -> Stream.concat(
                                allowed.threads().stream(), client.ownShare().flatMap(Share::threads).stream())
                        .min(ThreadPercentage::compareTo)
                        .orElse(ThreadPercentage.ALL));
    }

    private static OptionalDouble memory(Optional<GpuUse.Device> gpu, List<MpsClientView> clients) {
        OptionalLong all = gpu.map(GpuUse.Device::memoryBytes).orElse(OptionalLong.empty());
        if (all.isEmpty() || all.getAsLong() == 0) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        for (MpsClientView client : clients) {
            Optional<PinnedMemoryLimit> limit = limit(client);
            if (limit.isEmpty()) {
                return OptionalDouble.empty();
            }
            sum += limit.get().bytes();
        }
        return OptionalDouble.of(sum / all.getAsLong());
    }

    /** Unlike threads, memory can be set free by a client's environment: with that unknown, so is its limit. */
    private static Optional<PinnedMemoryLimit> limit(MpsClientView client) {
        if (client.escape().isPresent()
                || client.serverShare().isEmpty()
                || client.ownShare().isEmpty()) {
            return Optional.empty();
        }
        return Stream.of(client.serverShare(), client.ownShare())
                .flatMap(share -> share.flatMap(Share::memory).stream())
                .min(PinnedMemoryLimit::compareTo);
    }
}
