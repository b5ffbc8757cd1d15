// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** Nonsense that a function answers with SUCCESS. Version words, pointers and handles stay, or the caller would crash. */
public sealed interface Garbage {
    /** Every bit is one; texts have no end. What NVML gives for "not available" is among this. */
    Garbage ONES = new Pattern(true);

    /** Bytes drawn at random, the same in every run; texts have no end. */
    Garbage RANDOM = new Pattern(false);

    /** Every number that tells how many there are is larger than what the caller has room for. The rest stays. */
    Garbage COUNTS = new Counts();

    /**
     * Every number is this one, as far as it fits; texts stay.
     *
     * @param number the number
     * @return such garbage
     */
    static Garbage value(long number) {
        return new Value(number);
    }

    /**
     * The same kind of bytes everywhere.
     *
     * @param isOnes ones, or random
     */
    record Pattern(boolean isOnes) implements Garbage {}

    /**
     * The same number everywhere.
     *
     * @param number the number
     */
    record Value(long number) implements Garbage {}

    /** Lists that are longer than they can be. */
    record Counts() implements Garbage {}
}
