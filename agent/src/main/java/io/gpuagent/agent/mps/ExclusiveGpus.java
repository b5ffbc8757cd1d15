// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.watch.ExclusiveMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds GPUs that wait for an MPS daemon which is not there. Modes are read now and then only, so a reading may be from
 * before a daemon's end, which puts the mode back: one reading is not believed before a later one says the same.
 */
final class ExclusiveGpus {
    // As the driver's word is kept in a snapshot: nvml.h's NVML_COMPUTEMODE_EXCLUSIVE_PROCESS.
    private static final String EXCLUSIVE = "exclusive_process";

    private final Map<String, Long> suspectedAt = new HashMap<>();

    /**
     * Looks at one view of the node; from the oldest to the newest.
     *
     * @param node the GPUs
     * @param mps the daemons
     * @return a reason for each such GPU
     */
    synchronized List<MpsReason> without(NodeSnapshot node, MpsNodeView mps) {
        List<MpsReason> reasons = new ArrayList<>();
        for (GpuSnapshot gpu : node.gpus()) {
            String uuid = gpu.identity().uuid();
            Reading<String> mode = gpu.readings().get(ReadingKeys.COMPUTE_MODE);
            // The daemon that should serve it says so itself.
            boolean isSaid = mps.daemons().stream()
                    .filter(daemon -> daemon.devices().contains(uuid))
                    .flatMap(daemon -> daemon.reasons().stream())
                    .anyMatch(each -> each.code().equals(ExclusiveMode.WITHOUT_DAEMON));
            Optional<MpsReason> reason = mode.value()
                    .filter(each -> EXCLUSIVE.equals(each) && !isSaid)
                    .flatMap(_ -> ExclusiveMode.without(
                            uuid, ComputeModes.Mode.EXCLUSIVE_PROCESS, mps.daemons(), mps.foreign()));
            if (reason.isEmpty()) {
                suspectedAt.remove(uuid);
            } else if (suspectedAt.computeIfAbsent(uuid, _ -> mode.atNanos()) != mode.atNanos()) {
                reasons.add(reason.get());
            }
        }
        return reasons;
    }
}
