// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import java.util.Map;
import java.util.Set;

/**
 * How far NVML's events can be relied on: a GPU that is silent because nobody listens is not a healthy one.
 *
 * @param state whether they are fetched
 * @param detail for people, one sentence
 * @param gpus indices of the GPUs whose events are fetched
 * @param without indices of the GPUs that tell no events, with the reason
 */
public record EventStatus(State state, String detail, Set<Integer> gpus, Map<Integer, String> without) {
    /** Takes copies. */
    public EventStatus {
        gpus = Set.copyOf(gpus);
        without = Map.copyOf(without);
    }

    static EventStatus down() {
        return new EventStatus(State.DOWN, "NVML is not open", Set.of(), Map.of());
    }

    static EventStatus failing(String why) {
        return new EventStatus(State.FAILING, why, Set.of(), Map.of());
    }

    /** Whether events are fetched. */
    public enum State {
        /** NVML is not open. */
        DOWN,
        /** They are fetched. */
        WATCHING,
        /** NVML refuses; it is tried again and again, ever more seldom. */
        FAILING
    }
}
