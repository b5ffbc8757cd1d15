// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Why a verdict is what it is. Each reason belongs to one incident.
 *
 * @param code stable, such as {@code xid_79}, {@code row_remap_pending}, {@code gpu_lost}
 * @param sentence what is the matter, in one sentence
 * @param state how bad it is by itself, now
 * @param action what helps against it
 * @param clearsOn what has to be seen before it no longer counts
 * @param scope what it is about
 * @param incident the incident's id
 * @param sources who said so
 * @param since when it was first seen
 * @param lastSeen when it was last seen
 * @param count how many times it was seen in this incident
 * @param isAtLeast whether there were more: the driver said that it leaves lines out, or lines were lost
 * @param acknowledged who answers for it; such a reason is shown and counts only where it is read from the GPU as true
 *     right now
 */
public record HealthReason(
        String code,
        String sentence,
        HealthState state,
        HealthAction action,
        ClearsOn clearsOn,
        HealthScope scope,
        String incident,
        Set<HealthSource> sources,
        Instant since,
        Instant lastSeen,
        long count,
        boolean isAtLeast,
        Optional<Acknowledgement> acknowledged) {
    /** Takes a copy of the set. */
    public HealthReason {
        sources = Set.copyOf(sources);
    }
}
