// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigGpu;
import java.util.ArrayList;
import java.util.List;

/**
 * How many more GPU instances of a profile fit beside those there are, if no other is made: by slices, by the count of
 * the profile and by engines, as plans count. NVML is not asked (nvmlDeviceGetGpuInstanceRemainingCapacity).
 *
 * @param profile the profile
 * @param count how many, 0 or more
 */
public record RoomLeft(GpuProfile profile, int count) {
    /**
     * The room on a GPU.
     *
     * @param gpu the GPU
     * @return a line a profile, largest first
     */
    public static List<RoomLeft> on(MigGpu gpu) {
        Budget budget = new Budget(gpu.card(), gpu.instances());
        List<GpuProfile> profiles = gpu.card().profiles();
        int[] counts = new int[profiles.size()];
        Engines engines = Engines.NONE;
        long taken = 0;
        for (GpuInstance instance : gpu.instances()) {
            int index = budget.indexOf(instance.profile());
            if (index >= 0) {
                counts[index]++;
            }
            engines = engines.plus(instance.profile().engines());
            taken |= instance.placement().mask();
        }
        int[] fits = new int[profiles.size()];
        budget.stillFits(taken, budget.leftOver(counts, engines), fits);
        List<RoomLeft> room = new ArrayList<>();
        for (int i = 0; i < fits.length; i++) {
            room.add(new RoomLeft(profiles.get(i), fits[i]));
        }
        return List.copyOf(room);
    }
}
