// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.model.GpuIdentity;
import java.util.List;

/** What has to be asked of the port to make whole what was left half made. */
final class RepairRequests {
    private RepairRequests() {}

    static List<MigRequest> of(GpuIdentity gpu, MigState state, MigService.Repair how) throws MigRefusedException {
        if (state.unfinished().isPresent() || how == MigService.Repair.ABANDON) {
            if (state.unfinished().isEmpty()) {
                throw nothing(gpu, "no change of it was cut off");
            }
            return List.of(
                    how == MigService.Repair.ABANDON
                            ? new MigRequest.Abandon(gpu.uuid())
                            : new MigRequest.Recover(gpu.uuid()));
        }
        List<GpuInstance> half = state.facts().gpu().instances().stream()
                .filter(instance -> instance.computes().isEmpty())
                .toList();
        List<MigRequest> requests = half.stream()
                .filter(instance -> instance.ownership() == Ownership.OWN)
                .<MigRequest>map(instance -> new MigRequest.Repair(
                        gpu.uuid(),
                        instance.id(),
                        how == MigService.Repair.REMOVE
                                ? MigRequest.Repair.How.REMOVE
                                : MigRequest.Repair.How.COMPLETE))
                .toList();
        if (requests.isEmpty()) {
            throw nothing(
                    gpu,
                    half.isEmpty()
                            ? "no change of it was cut off, and all its instances are whole"
                            : half.getFirst().label()
                                    + " has no compute instance and is not gpu-agent's; adopt it first");
        }
        return requests;
    }

    private static MigRefusedException nothing(GpuIdentity gpu, String why) {
        return new MigRefusedException(
                RefusalCode.NOT_FOUND, "there is nothing to repair on GPU " + gpu.index() + ": " + why);
    }
}
