// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.MigGpu;
import java.util.List;

/** A plan, or the reason why there is none. */
public sealed interface PlanOutcome permits Plan, Impossible {
    /**
     * What the plan was made from.
     *
     * @return the GPU as it is
     */
    MigGpu before();

    /**
     * What was wanted.
     *
     * @return the layout
     */
    Wanted wanted();

    /**
     * What must stay, and why.
     *
     * @return by place
     */
    List<Pin> pins();
}
