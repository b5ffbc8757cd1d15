// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import java.util.List;

/** What happens to the compute instances of a GPU instance that stays. */
record ComputeChange(List<ComputeInstance> kept, List<ComputeInstance> destroyed, List<WantedCompute> created) {
    boolean isNone() {
        return destroyed.isEmpty() && created.isEmpty();
    }
}
