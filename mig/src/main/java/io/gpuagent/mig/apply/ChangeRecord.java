// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A change as the journal has it.
 *
 * @param id its number, higher than those of earlier changes of the GPU
 * @param at when it was begun
 * @param before the layout before
 * @param after the layout that is wanted
 * @param made what it has begun to make and was not refused: all that it may undo
 * @param destroyed what it has begun to destroy: all that it may make again
 * @param isUndoing whether the way back was begun
 * @param end how it ended
 */
record ChangeRecord(
        long id,
        Instant at,
        SavedLayout before,
        SavedLayout after,
        Set<Piece> made,
        Set<Piece> destroyed,
        boolean isUndoing,
        End end) {
    enum End {
        NONE,
        COMMITTED,
        ROLLED_BACK
    }

    ChangeRecord {
        made = new LinkedHashSet<>(made);
        destroyed = new LinkedHashSet<>(destroyed);
    }

    boolean isOpen() {
        return end == End.NONE;
    }
}
