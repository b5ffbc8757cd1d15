// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value that a device was asked for: the value, or the reason why there is none, with the time of the read.
 *
 * @param <T> the type of the value
 */
public sealed interface Reading<T> {
    /**
     * When the device answered.
     *
     * @return a value of {@link io.gpuagent.model.time.Clock#nanos()}
     */
    long atNanos();

    /**
     * The value, where there is one.
     *
     * @return the value or empty
     */
    Optional<T> value();

    /**
     * Applies a function to the value; an absence stays what it is.
     *
     * @param mapper the function
     * @param <R> the new type
     * @return the reading of the mapped value
     */
    <R> Reading<R> map(Function<? super T, ? extends R> mapper);

    /**
     * A reading with a value.
     *
     * @param value the value
     * @param atNanos the time of the read
     * @param <T> its type
     * @return the reading
     */
    static <T> Reading<T> of(T value, long atNanos) {
        return new Present<>(value, atNanos);
    }

    /**
     * A reading without a value.
     *
     * @param why the reason
     * @param detail what the driver said (a return code's name), or null
     * @param atNanos the time of the attempt
     * @param <T> the type it would have had
     * @return the reading
     */
    static <T> Reading<T> absent(Absence why, @Nullable String detail, long atNanos) {
        return new Absent<>(why, detail, atNanos);
    }

    /**
     * A value that was read.
     *
     * @param present the value itself
     * @param atNanos when it was read
     * @param <T> its type
     */
    record Present<T>(T present, long atNanos) implements Reading<T> {
        @Override
        public Optional<T> value() {
            return Optional.of(present);
        }

        @Override
        public <R> Reading<R> map(Function<? super T, ? extends R> mapper) {
            return new Present<>(mapper.apply(present), atNanos);
        }
    }

    /**
     * No value, and why.
     *
     * @param why the reason
     * @param detail what the driver said, where it said anything
     * @param atNanos when it was tried
     * @param <T> the type it would have had
     */
    record Absent<T>(Absence why, @Nullable String detail, long atNanos) implements Reading<T> {
        @Override
        public Optional<T> value() {
            return Optional.empty();
        }

        @Override
        public <R> Reading<R> map(Function<? super T, ? extends R> mapper) {
            return new Absent<>(why, detail, atNanos);
        }
    }
}
