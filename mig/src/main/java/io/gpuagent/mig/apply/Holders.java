// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.Holder;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.Optional;

/** Tells who holds a whole GPU open, such as by its node {@code /dev/nvidiaN}. Only explains; the driver decides. */
@FunctionalInterface
public interface Holders {
    /** Cannot see any. */
    Holders UNSEEN = gpu -> Optional.empty();

    /**
     * Looks.
     *
     * @param gpu the GPU
     * @return the holders; empty where they cannot be seen
     */
    Optional<List<Holder>> of(GpuIdentity gpu);

    /** Such as {@code process 4711 (nsys) has it open}. */
    static String words(Optional<List<Holder>> holders) {
        if (holders.isEmpty()) {
            return "who holds it cannot be seen";
        }
        List<String> words = holders.get().stream().map(Holder::words).toList();
        if (words.isEmpty()) {
            return "nobody is seen to hold it, so it may be a part of the kernel, such as nvidia_drm";
        }
        return String.join(", ", words) + (words.size() == 1 ? " has" : " have") + " it open";
    }
}
