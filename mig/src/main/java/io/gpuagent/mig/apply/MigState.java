// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.read.MigFacts;
import java.util.List;
import java.util.Optional;

/**
 * A GPU, with what is written down about it.
 *
 * @param facts how it is, with who uses each instance
 * @param unfinished what a change that was cut off has left open, in one sentence; empty where there is none
 * @param ownership why it is not known which instances are ours, in one sentence; empty where it is
 * @param history the last changes that were carried out, oldest first
 */
public record MigState(
        MigFacts facts, Optional<String> unfinished, Optional<String> ownership, List<History.Entry> history) {
    /** Takes a copy. */
    public MigState {
        history = List.copyOf(history);
    }
}
