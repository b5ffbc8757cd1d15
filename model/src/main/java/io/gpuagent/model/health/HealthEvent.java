// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;
import java.util.Locale;

/**
 * Something that changed: an incident's life, not each of its lines.
 *
 * @param number counts up by one for each event of this node, over restarts too
 * @param at when
 * @param kind what happened
 * @param incident the incident's id
 * @param gpu the GPU's UUID or bus id; empty for the node
 * @param code the incident's code
 * @param state how bad the incident is from then on
 * @param text one sentence
 */
public record HealthEvent(
        long number, Instant at, Kind kind, String incident, String gpu, String code, HealthState state, String text) {
    /** The kinds. */
    public enum Kind {
        /** It was seen for the first time. */
        OPENED,
        /** It has become worse. */
        RAISED,
        /** It is less bad than it was taken for. */
        LOWERED,
        /** It no longer counts. */
        CLEARED,
        /** Somebody answers for it. */
        ACKNOWLEDGED;

        /**
         * The name in JSON.
         *
         * @return lower case
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
