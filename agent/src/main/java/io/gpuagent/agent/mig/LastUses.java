// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.LastUse;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * When something last ran on each MIG instance, as the snapshots tell: a service that ends its process for a moment,
 * between two requests or while it is restarted, has not given its instance up. Any thread may call.
 */
public final class LastUses {
    // The port takes as many.
    private static final int MOST = 128;
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Map<Place, Long> seen = new HashMap<>();

    private record Place(String gpu, int gpuInstance, OptionalInt computeInstance) {}

    /**
     * Takes a snapshot in.
     *
     * @param node the snapshot
     */
    public synchronized void observe(NodeSnapshot node) {
        long now = node.takenAtNanos();
        for (GpuSnapshot gpu : node.gpus()) {
            for (ProcessType type : ProcessType.values()) {
                for (GpuProcess process :
                        gpu.readings().value(ReadingKeys.processes(type)).orElse(List.of())) {
                    if (process.gpuInstance().isPresent()) {
                        Place place = new Place(
                                gpu.identity().uuid(), process.gpuInstance().getAsInt(), process.computeInstance());
                        seen.put(place, now);
                    }
                }
            }
        }
        seen.values().removeIf(at -> now - at > LONGEST.toNanos());
    }

    /**
     * What ran on a GPU.
     *
     * @param gpu its UUID
     * @param nanos the time now
     * @return the latest uses, at most as many as the port takes
     */
    public synchronized List<LastUse> of(String gpu, long nanos) {
        List<LastUse> uses = new ArrayList<>();
        seen.entrySet().stream()
                .filter(entry -> entry.getKey().gpu().equals(gpu) && nanos - entry.getValue() <= LONGEST.toNanos())
                .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                .limit(MOST)
                .forEach(entry -> uses.add(new LastUse(
                        entry.getKey().gpuInstance(),
                        entry.getKey().computeInstance(),
                        Duration.ofNanos(Math.max(0, nanos - entry.getValue())))));
        return uses;
    }
}
