// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.Absence;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.Readings;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.NvmlReturn;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One round's answers, and what they say about the GPU as a whole. Only what the driver was asked in this round counts: a
 * question that is left out, or a function that the library lacks, proves nothing about the GPU.
 */
final class Round implements Probe.Answers {
    private final Readings.Builder readings;
    private final Clock clock;
    private final Set<ReadingKey<?>> unsupported = new HashSet<>();
    private int answered;
    private @Nullable NvmlReturn fatal;
    private @Nullable NvmlReturn failure;

    Round(Readings.Builder readings, Clock clock) {
        this.readings = readings;
        this.clock = clock;
    }

    @Override
    public <T> void put(ReadingKey<T> key, Answer<T> answer) {
        Reading<T> reading = Probe.reading(answer, clock.nanos());
        readings.put(key, reading);
        if (answer instanceof Answer.Refused<T>(var function, NvmlReturn code)
                && reading instanceof Reading.Absent<T> absent) {
            refused(key, absent.why(), code);
        } else {
            answered++;
        }
    }

    private void refused(ReadingKey<?> key, Absence why, NvmlReturn code) {
        switch (why) {
            case NOT_SUPPORTED -> {
                answered++;
                unsupported.add(key);
            }
            case NO_SUCH_FUNCTION -> unsupported.add(key);
            case NO_PERMISSION -> answered++;
            case GPU_LOST -> fatal = code;
            default -> failure = code;
        }
    }

    @Override
    public <T> void reject(ReadingKey<T> key, String value) {
        answered++;
        readings.put(key, Reading.absent(Absence.OUT_OF_RANGE, value, clock.nanos()));
    }

    /** Takes a reading that several calls made, or none: it says nothing about the GPU as a whole. */
    <T> void show(ReadingKey<T> key, Reading<T> reading) {
        readings.put(key, reading);
    }

    /** What is known of a key by now. */
    <T> Reading<T> reading(ReadingKey<T> key) {
        return readings.get(key);
    }

    Readings readings() {
        return readings.build();
    }

    /** What the driver said this GPU does not have. */
    Set<ReadingKey<?>> unsupported() {
        return unsupported;
    }

    /** The code that describes the GPU, where it gave no answer at all or said that it is lost. */
    Optional<NvmlReturn> verdict() {
        if (fatal != null) {
            return Optional.of(fatal);
        }
        return answered == 0 ? Optional.ofNullable(failure) : Optional.empty();
    }

    /** How many questions the driver has answered so far. */
    int answered() {
        return answered;
    }

    /** The last code that was neither an answer nor about support. */
    Optional<NvmlReturn> failure() {
        return Optional.ofNullable(failure);
    }
}
