// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Something that happened to a GPU or the node, from its first sign to its end: a burst of lines is one incident.
 *
 * @param id names it for good, such as {@code 17}; never used twice on a node
 * @param code stable, such as {@code xid_48}
 * @param scope what it is about
 * @param state how bad it was at its worst
 * @param action what was asked for at its worst
 * @param clearsOn what has to be seen before it no longer counts
 * @param text the evidence: the first line's text, or what was read
 * @param first when it was first seen
 * @param last when it was last seen
 * @param count how many times it was seen
 * @param isAtLeast whether there were more
 * @param sources who said so
 * @param processes the processes named, at most sixteen
 * @param mps the MPS daemon whose server was named; its clients are hit with it
 * @param related what followed from it, such as {@code xid_45} or {@code xid_154}, each with how often
 * @param clearedAt when it stopped counting; empty while it is open
 * @param clearedBy what was seen then
 * @param acknowledged who answers for it
 */
public record Incident(
        String id,
        String code,
        HealthScope scope,
        HealthState state,
        HealthAction action,
        ClearsOn clearsOn,
        String text,
        Instant first,
        Instant last,
        long count,
        boolean isAtLeast,
        Set<HealthSource> sources,
        List<AffectedProcess> processes,
        Optional<String> mps,
        List<String> related,
        Optional<Instant> clearedAt,
        Optional<String> clearedBy,
        Optional<Acknowledgement> acknowledged) {
    /** Takes copies of the collections. */
    public Incident {
        sources = Set.copyOf(sources);
        processes = List.copyOf(processes);
        related = List.copyOf(related);
    }

    /**
     * Whether it still counts, or would count if nobody had answered for it.
     *
     * @return false once it was cleared
     */
    public boolean isOpen() {
        return clearedAt.isEmpty();
    }
}
