// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.util.List;

/**
 * A change that was made and read back.
 *
 * @param before what was found, in a few words
 * @param after what was read back
 * @param lines what else is worth telling, one sentence each
 */
public record Change(String before, String after, List<String> lines) {
    /** Takes a copy. */
    public Change {
        lines = List.copyOf(lines);
    }
}
