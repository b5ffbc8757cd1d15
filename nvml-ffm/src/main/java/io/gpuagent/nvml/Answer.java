// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/**
 * What NVML answered: a value, or why there is none.
 *
 * @param <T> the type of the value
 */
public sealed interface Answer<T> {
    /**
     * The value, where there is one.
     *
     * @return the value or empty
     */
    Optional<T> value();

    /**
     * Applies a function to the value; the other answers stay what they are.
     *
     * @param mapper the function
     * @param <R> the new type
     * @return the mapped answer
     */
    <R> Answer<R> map(Function<? super T, ? extends R> mapper);

    /**
     * The value, for callers that cannot go on without it.
     *
     * @return the value
     * @throws NvmlException when NVML refused
     */
    T orThrow();

    /**
     * A value.
     *
     * @param of what NVML answered
     * @param <T> its type
     */
    record Value<T>(T of) implements Answer<T> {
        @Override
        public Optional<T> value() {
            return Optional.of(of);
        }

        @Override
        public <R> Answer<R> map(Function<? super T, ? extends R> mapper) {
            return new Value<>(mapper.apply(of));
        }

        @Override
        public T orThrow() {
            return of;
        }
    }

    /**
     * NVML, or this binding in its place, refused.
     *
     * @param function what was called
     * @param code what it returned
     * @param <T> the type the value would have had
     */
    record Refused<T>(NvmlFunction function, NvmlReturn code) implements Answer<T> {
        @Override
        public Optional<T> value() {
            return Optional.empty();
        }

        @Override
        public <R> Answer<R> map(Function<? super T, ? extends R> mapper) {
            return new Refused<>(function, code);
        }

        @Override
        public T orThrow() {
            throw new NvmlException(function, code);
        }
    }

    /**
     * The call succeeded, and the driver said that it does not know: an all-ones value, NVML_VALUE_NOT_AVAILABLE.
     *
     * @param function what was called
     * @param <T> the type the value would have had
     */
    record Unavailable<T>(NvmlFunction function) implements Answer<T> {
        @Override
        public Optional<T> value() {
            return Optional.empty();
        }

        @Override
        public <R> Answer<R> map(Function<? super T, ? extends R> mapper) {
            return new Unavailable<>(function);
        }

        @Override
        public T orThrow() {
            throw new NoSuchElementException(function + " succeeded and has no value to give");
        }
    }
}
