// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * A mode that is on or off, and what it becomes at the next reset or reboot.
 *
 * @param current on now
 * @param pending on afterwards
 */
public record Mode(boolean current, boolean pending) {
    static Mode of(Queries.Pair pair) {
        return new Mode(pair.first() != 0, pair.second() != 0);
    }
}
