// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInstance;

/**
 * Somebody to whom a plan does something.
 *
 * @param instance the GPU instance that goes, or of which a compute instance goes
 * @param claim who, and how
 */
public record Affected(GpuInstance instance, Claim claim) {
    /**
     * Says it in one sentence.
     *
     * @return such as {@code GPU instance 11 (1g.18gb at 4): something ran on it 3 min ago}
     */
    public String sentence() {
        return instance.label() + ": " + claim.words();
    }
}
