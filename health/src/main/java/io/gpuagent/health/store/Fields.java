// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Takes a line's fields, one after the other. */
final class Fields {
    /** A line that fits its checksum and yet not its kind: of another version, or nobody's. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1L;

        Unfit(String message) {
            super(message);
        }
    }

    private final List<String> fields;
    private int next;

    Fields(List<String> fields) {
        this.fields = fields;
    }

    String text() throws Unfit {
        if (next >= fields.size()) {
            throw new Unfit("field " + next + " is missing");
        }
        return fields.get(next++);
    }

    long number() throws Unfit {
        String text = text();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new Unfit("no number: " + text);
        }
    }

    int count() throws Unfit {
        long number = number();
        if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw new Unfit("no count: " + number);
        }
        return (int) number;
    }

    boolean yes() throws Unfit {
        return text().equals("1");
    }

    Instant instant() throws Unfit {
        return instant(number());
    }

    Optional<Instant> maybe() throws Unfit {
        String text = text();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        next--;
        return Optional.of(instant());
    }

    private static Instant instant(long millis) throws Unfit {
        try {
            Instant instant = Instant.ofEpochMilli(millis);
            // Far enough for any clock, near enough that a difference in nanoseconds fits a long.
            if (instant.isBefore(Instant.EPOCH) || instant.getEpochSecond() > 8_000_000_000L) {
                throw new Unfit("no time: " + millis);
            }
            return instant;
        } catch (DateTimeException e) {
            throw new Unfit("no time: " + millis);
        }
    }

    <E extends Enum<E>> E of(Class<E> type) throws Unfit {
        String text = text();
        try {
            return Enum.valueOf(type, text);
        } catch (IllegalArgumentException e) {
            throw new Unfit("no " + type.getSimpleName() + ": " + text);
        }
    }
}
