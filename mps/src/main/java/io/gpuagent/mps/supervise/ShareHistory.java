// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which share new clients got, and since when. It is kept on disk, so that the limits of clients are known that came
 * before this process.
 *
 * @param entries oldest first
 */
record ShareHistory(List<Entry> entries) {
    static final ShareHistory EMPTY = new ShareHistory(List.of());
    /** Older changes are forgotten, and with them what clients from before them came under. */
    static final int LONGEST = 64;

    ShareHistory {
        entries = List.copyOf(entries);
    }

    /** A change: who came between its begin and its end can have got the one share or the other. */
    record Entry(Instant begun, Instant ended, Share share) {}

    ShareHistory with(Instant begun, Instant ended, Share share) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(new Entry(begun, ended, share));
        return new ShareHistory(more.subList(Math.max(0, more.size() - LONGEST), more.size()));
    }

    /** A change begins whose outcome is not known yet, and is not if this process dies in the middle. */
    ShareHistory open(Instant begun, Share share) {
        return with(begun, Instant.MAX, share);
    }

    boolean isOpen() {
        return !entries.isEmpty() && entries.getLast().ended().equals(Instant.MAX);
    }

    /** The open change has ended, with this share in force. */
    ShareHistory close(Instant ended, Share share) {
        if (!isOpen()) {
            return this;
        }
        List<Entry> closed = new ArrayList<>(entries);
        closed.add(new Entry(closed.removeLast().begun(), ended, share));
        return new ShareHistory(closed);
    }

    /** The share of a client that connected at this time; empty where it is not known. The logs tell milliseconds. */
    Optional<Share> at(Instant connected) {
        Optional<Share> share = Optional.empty();
        for (Entry entry : entries) {
            if (connected.isBefore(entry.begun().truncatedTo(ChronoUnit.MILLIS))) {
                break;
            }
            share = connected.isAfter(entry.ended()) ? Optional.of(entry.share()) : Optional.empty();
        }
        return share;
    }
}
