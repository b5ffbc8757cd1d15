// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.read.MigFacts;
import java.util.List;

/** What came of a change. */
public sealed interface ApplyResult {
    /**
     * All is as wanted.
     *
     * @param now how the GPU is
     * @param retries how often a step was tried again because the driver said IN_USE
     * @param notes what else should be known, a sentence each
     */
    record Done(MigFacts now, int retries, List<String> notes) implements ApplyResult {
        /** Takes a copy. */
        public Done {
            notes = List.copyOf(notes);
        }
    }

    /**
     * A step failed, and all is as it was before.
     *
     * @param why what failed, in one sentence
     * @param now how the GPU is
     * @param notes what else should be known, a sentence each
     */
    record RolledBack(String why, MigFacts now, List<String> notes) implements ApplyResult {
        /** Takes a copy. */
        public RolledBack {
            notes = List.copyOf(notes);
        }
    }

    /**
     * The change stands half-way and is left so: a call has not returned, the GPU does not answer, or the way back failed,
     * too. The journal keeps what is to be done; a recovery goes on from there.
     *
     * @param why in one sentence
     */
    record LeftAsItIs(String why) implements ApplyResult {}

    /**
     * Nothing was changed.
     *
     * @param reason the kind of reason
     * @param why in one sentence
     */
    record Refused(MigException.Cause reason, String why) implements ApplyResult {}
}
