// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether NVML should be initialised again because of what the GPUs say. Handles go stale after a GPU's reset and device
 * rules of a container can be lost; a new nvmlInit mends both. It costs every GPU a second, so one bad GPU among good ones
 * must be bad for long, and longer each time.
 */
final class SessionVerdict {
    /** All GPUs bad: for this long. */
    private static final Duration ALL = Duration.ofSeconds(3);
    /** One GPU bad: for this long at first, then twice as long each time. */
    private static final Duration ONE = Duration.ofMinutes(1);

    private static final Duration ONE_AT_MOST = Duration.ofHours(1);

    private static final Set<State> BAD = Set.of(State.LOST, State.RESET_REQUIRED, State.FAILING);

    private final Clock clock;
    private Duration patience = ONE;
    private long allGoodUntil;
    private long notAllBadUntil;

    SessionVerdict(Clock clock) {
        this.clock = clock;
        begin();
    }

    /** A new session has begun: its GPUs have not been bad yet. */
    void begin() {
        allGoodUntil = clock.nanos();
        notAllBadUntil = allGoodUntil;
    }

    /** Looks at the GPUs, once a second; the condition that ends the session, where one does. */
    Optional<GpuCondition> look(List<GpuCondition> gpus) {
        long now = clock.nanos();
        Optional<GpuCondition> worst =
                gpus.stream().filter(gpu -> BAD.contains(gpu.state())).findFirst();
        if (worst.isEmpty()) {
            allGoodUntil = now;
            notAllBadUntil = now;
            if (gpus.stream().anyMatch(gpu -> gpu.state() == State.OK)) {
                patience = ONE;
            }
            return Optional.empty();
        }
        boolean all = gpus.stream().allMatch(gpu -> BAD.contains(gpu.state()));
        if (!all) {
            notAllBadUntil = now;
        }
        if (now - notAllBadUntil >= ALL.toNanos()) {
            return worst;
        }
        if (now - allGoodUntil >= patience.toNanos()) {
            Duration doubled = patience.multipliedBy(2);
            patience = doubled.compareTo(ONE_AT_MOST) > 0 ? ONE_AT_MOST : doubled;
            return worst;
        }
        return Optional.empty();
    }
}
