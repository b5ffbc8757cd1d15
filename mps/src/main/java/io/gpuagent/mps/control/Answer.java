// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.mps.MpsException;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a control daemon answered: a value, or why there is none.
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
     * Why there is no value.
     *
     * @return the refusal or empty
     */
    Optional<Refusal> refusal();

    /**
     * Asks the next question where this one was answered.
     *
     * @param next makes the next answer out of the value
     * @param <R> the new type
     * @return the next answer, or this refusal
     */
    <R> Answer<R> then(Function<? super T, Answer<R>> next);

    /**
     * The value, for callers that cannot go on without it.
     *
     * @return the value
     * @throws MpsException when there is none, with the sentence of {@link Refused}
     */
    T orThrow();

    /**
     * Applies a function to the value.
     *
     * @param mapper the function
     * @param <R> the new type
     * @return the mapped answer, or this refusal
     */
    default <R> Answer<R> map(Function<? super T, ? extends R> mapper) {
        return then(value -> new Value<>(mapper.apply(value)));
    }

    /**
     * A value.
     *
     * @param of what the daemon answered
     * @param <T> its type
     */
    record Value<T>(T of) implements Answer<T> {
        @Override
        public Optional<T> value() {
            return Optional.of(of);
        }

        @Override
        public Optional<Refusal> refusal() {
            return Optional.empty();
        }

        @Override
        public <R> Answer<R> then(Function<? super T, Answer<R>> next) {
            return next.apply(of);
        }

        @Override
        public T orThrow() {
            return of;
        }
    }

    /**
     * There is no value.
     *
     * @param command what was sent
     * @param why what it means
     * @param text what came back, word for word, or what the JDK said
     * @param <T> the type the value would have had
     */
    record Refused<T>(String command, Refusal why, String text) implements Answer<T> {
        private static final int SHOWN = 200;

        @Override
        public Optional<T> value() {
            return Optional.empty();
        }

        @Override
        public Optional<Refusal> refusal() {
            return Optional.of(why);
        }

        @Override
        public <R> Answer<R> then(Function<? super T, Answer<R>> next) {
            return new Refused<>(command, why, text);
        }

        @Override
        public T orThrow() {
            throw new MpsException(sentence());
        }

        /**
         * For people.
         *
         * @return one sentence with the command, what it means and the answer
         */
        public String sentence() {
            String shown = text.strip().replaceAll("\\p{Cntrl}+", " ");
            String said = shown.isEmpty()
                    ? "nothing was answered"
                    : "the answer was \"" + (shown.length() > SHOWN ? shown.substring(0, SHOWN) + "..." : shown) + "\"";
            return "the MPS command \"" + command + "\" failed: " + why.meaning() + " (" + said + ")";
        }
    }
}
