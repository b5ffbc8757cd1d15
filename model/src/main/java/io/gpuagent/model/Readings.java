// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** One GPU's readings by key; immutable. A key that was never set reads as {@link Absence#NOT_READ_YET}. */
public final class Readings {
    /** No reading at all. */
    public static final Readings EMPTY = new Readings(new Reading<?>[ReadingKeys.ALL.size()]);

    private static final Reading<Object> NOT_READ_YET = Reading.absent(Absence.NOT_READ_YET, null, 0);

    // Indexed by ReadingKey.position(); null where nothing was read.
    private final Reading<?>[] slots;

    private Readings(Reading<?>[] slots) {
        this.slots = slots;
    }

    /**
     * The reading of a key.
     *
     * @param key the key
     * @param <T> its type
     * @return the reading; absent with {@link Absence#NOT_READ_YET} where there is none
     */
    public <T> Reading<T> get(ReadingKey<T> key) {
        return get(slots, key);
    }

    @SuppressWarnings("unchecked") // Builder.put only accepts a reading of the key's own type.
    private static <T> Reading<T> get(Reading<?>[] slots, ReadingKey<T> key) {
        Reading<?> reading = slots[key.position()];
        return (Reading<T>) (reading == null ? NOT_READ_YET : reading);
    }

    /**
     * The value of a key.
     *
     * @param key the key
     * @param <T> its type
     * @return the value, empty where it is absent for whatever reason
     */
    public <T> Optional<T> value(ReadingKey<T> key) {
        return get(key).value();
    }

    /**
     * These readings as they may be served at a later time: what has outlived its tier's age becomes absent.
     *
     * @param nowNanos the time of serving
     * @param intervals how often the tiers are read
     * @param why the reason that an outlived value gets: {@link Absence#TOO_OLD}, or {@link Absence#UNRESPONSIVE} where
     *     a call hangs
     * @return the readings
     */
    public Readings agedTo(long nowNanos, PollIntervals intervals, Absence why) {
        Builder aged = null;
        for (ReadingKey<?> key : ReadingKeys.ALL) {
            if (slots[key.position()] instanceof Reading.Present<?>(Object ignored, long at)) {
                Optional<Duration> limit = intervals.maxAge(key.tier());
                if (limit.isPresent() && nowNanos - at > limit.get().toNanos()) {
                    aged = aged == null ? toBuilder() : aged;
                    aged.slots[key.position()] = Reading.absent(why, null, at);
                }
            }
        }
        return aged == null ? this : aged.build();
    }

    /**
     * A builder that starts with these readings.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        return new Builder(slots.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Readings readings && Arrays.equals(slots, readings.slots);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(slots);
    }

    /** Collects readings; not safe for several threads. */
    public static final class Builder {
        private Reading<?>[] slots;
        private boolean isBuilt;

        private Builder(Reading<?>[] slots) {
            this.slots = slots;
        }

        /**
         * Sets a reading.
         *
         * @param key the key
         * @param reading the reading
         * @param <T> the type
         * @return this
         */
        public <T> Builder put(ReadingKey<T> key, Reading<T> reading) {
            if (isBuilt) {
                slots = slots.clone();
                isBuilt = false;
            }
            slots[key.position()] = reading;
            return this;
        }

        /**
         * The reading of a key so far.
         *
         * @param key the key
         * @param <T> its type
         * @return the reading; absent with {@link Absence#NOT_READ_YET} where there is none
         */
        public <T> Reading<T> get(ReadingKey<T> key) {
            return Readings.get(slots, key);
        }

        /**
         * The readings so far; what is put later does not reach them.
         *
         * @return the readings
         */
        public Readings build() {
            isBuilt = true;
            return new Readings(slots);
        }
    }
}
