// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.Absence;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.Tier;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.NvmlReturn;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One question to a GPU, and where its answers go: usually a call for a key, for field values a call for several.
 *
 * @param tier how often it is asked
 * @param keys what it answers
 * @param ask asks and hands each answer over
 */
record Probe(Tier tier, List<ReadingKey<?>> keys, BiConsumer<Gpu, Answers> ask) {
    /** Takes the answers of a probe. */
    interface Answers {
        <T> void put(ReadingKey<T> key, Answer<T> answer);

        /** The call succeeded, and its value cannot be true. */
        <T> void reject(ReadingKey<T> key, String value);
    }

    static <T> Probe of(ReadingKey<T> key, Function<Gpu, Answer<T>> call) {
        return new Probe(key.tier(), List.of(key), (gpu, answers) -> answers.put(key, call.apply(gpu)));
    }

    /**
     * A probe whose value must lie within bounds: drivers have been seen to answer a utilization of 4294967295 % and a
     * temperature of 4278190080 degrees.
     */
    static <T extends Number> Probe bounded(ReadingKey<T> key, double min, double max, Function<Gpu, Answer<T>> call) {
        return new Probe(key.tier(), List.of(key), (gpu, answers) -> within(key, min, max, call.apply(gpu), answers));
    }

    static <T extends Number> void within(
            ReadingKey<T> key, double min, double max, Answer<T> answer, Answers answers) {
        if (answer instanceof Answer.Value<T>(T value) && !(value.doubleValue() >= min && value.doubleValue() <= max)) {
            answers.reject(key, value.toString());
        } else {
            answers.put(key, answer);
        }
    }

    /** What the agent makes of an answer. */
    static <T> Reading<T> reading(Answer<T> answer, long atNanos) {
        return switch (answer) {
            case Answer.Value<T>(T value) -> Reading.of(value, atNanos);
            case Answer.Unavailable<T> ignored -> Reading.absent(Absence.NOT_AVAILABLE, null, atNanos);
            case Answer.Refused<T> refused ->
                Reading.absent(absence(refused.code()), refused.code().cName(), atNanos);
        };
    }

    static Absence absence(NvmlReturn code) {
        if (code.equals(NvmlReturn.NOT_SUPPORTED)) {
            return Absence.NOT_SUPPORTED;
        } else if (code.equals(NvmlReturn.FUNCTION_NOT_FOUND)) {
            return Absence.NO_SUCH_FUNCTION;
        } else if (code.equals(NvmlReturn.NO_PERMISSION)) {
            return Absence.NO_PERMISSION;
        } else if (code.equals(NvmlReturn.GPU_IS_LOST) || code.equals(NvmlReturn.RESET_REQUIRED)) {
            return Absence.GPU_LOST;
        }
        return Absence.FAILED;
    }
}
