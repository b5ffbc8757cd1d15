// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.SourceStatus;

/**
 * How a source does.
 *
 * @param state its state
 * @param detail one sentence; empty where all is well
 * @param received what it delivered since the agent started
 * @param lost what is known to be missing
 * @param refused what was not believed
 */
public record SourceFacts(SourceStatus.State state, String detail, long received, long lost, long refused) {
    static final SourceFacts SILENT = new SourceFacts(SourceStatus.State.STARTING, "", 0, 0, 0);

    SourceFacts received(long more) {
        return new SourceFacts(state, detail, received + more, lost, refused);
    }

    SourceFacts lost(long more) {
        return new SourceFacts(state, detail, received, lost + more, refused);
    }

    SourceFacts refused(long more) {
        return new SourceFacts(state, detail, received, lost, refused + more);
    }

    SourceFacts is(SourceStatus.State now, String why) {
        return new SourceFacts(now, why, received, lost, refused);
    }
}
