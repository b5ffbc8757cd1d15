// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

/**
 * How often a GPU reported an Xid in this boot.
 *
 * @param count each report once, whoever brought it
 * @param isAtLeast whether there were more
 * @param last when the latest came
 */
public record XidTally(long count, boolean isAtLeast, Moment last) {
    XidTally plus(Moment at) {
        return new XidTally(count + 1, isAtLeast, at.nanos() > last.nanos() ? at : last);
    }

    XidTally atLeast() {
        return new XidTally(count, true, last);
    }
}
