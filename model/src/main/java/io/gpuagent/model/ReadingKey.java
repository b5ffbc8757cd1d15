// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Names one thing that is read from every GPU, with its type and the tier it is read in. The keys themselves stand in
 * {@link ReadingKeys}, as constants.
 *
 * @param <T> the type of the value
 */
@SuppressWarnings("UnusedTypeParameter") // It ties a key to the type of its readings.
public final class ReadingKey<T> {
    // Filled while ReadingKeys is initialised, never after: the class initialiser's lock publishes it.
    private static final List<ReadingKey<?>> KEYS = new ArrayList<>();

    private final String name;
    private final Tier tier;
    private final int position;

    private ReadingKey(String name, Tier tier, int position) {
        this.name = name;
        this.tier = tier;
        this.position = position;
    }

    static <T> ReadingKey<T> of(String name, Tier tier) {
        ReadingKey<T> key = new ReadingKey<>(name, tier, KEYS.size());
        KEYS.add(key);
        return key;
    }

    static List<ReadingKey<?>> all() {
        return List.copyOf(KEYS);
    }

    /**
     * The key's name, in lower case with dots, as logs and JSON show it.
     *
     * @return for example {@code power.instant}
     */
    public String name() {
        return name;
    }

    /**
     * How often it is read.
     *
     * @return the tier
     */
    public Tier tier() {
        return tier;
    }

    int position() {
        return position;
    }

    @Override
    public String toString() {
        return name;
    }
}
