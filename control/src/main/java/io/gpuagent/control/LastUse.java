// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * When something last ran on a MIG instance, as the agent has seen it. It can only reserve an instance, never free one.
 *
 * @param gpuInstance the id of the GPU instance
 * @param computeInstance the id of the compute instance; empty where that is not known
 * @param ago how long ago, to whole seconds; at most a day
 */
public record LastUse(int gpuInstance, OptionalInt computeInstance, Duration ago) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Checks all arguments. */
    public LastUse {
        Grammar.instanceId(gpuInstance);
        computeInstance.ifPresent(Grammar::instanceId);
        ago = Duration.ofSeconds(ago.toSeconds());
        if (ago.isNegative() || ago.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a last use " + ago.toSeconds() + " s ago is out of range; it is 0 to "
                    + LONGEST.toSeconds() + " s");
        }
    }
}
