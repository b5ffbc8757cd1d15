// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlSample_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The driver's own recent samples (nvmlDeviceGetSamples): on an H200 one per 20 ms of the last 2 s for power, one per
 * 200 ms of the last 14 s for utilization. They show peaks that a slower poll misses. A call takes 1 to 4 ms.
 */
public final class Samples {
    /** Samples that came between the two calls; those beyond are the oldest of the next read. */
    private static final int MORE = 16;
    /** Far more than any driver keeps. */
    private static final int LARGEST_COUNT = 65_536;

    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetSamples;

    private final Handle device;

    Samples(Handle device) {
        this.device = device;
    }

    /**
     * Samples of one kind.
     *
     * @param kind of what
     * @param since only samples later than this time, in microseconds since the epoch as {@link Sample#time()} gives it; 0
     *     for all that are kept
     * @return the samples, those left out whose value the driver does not know; NOT_FOUND where it has none, NOT_SUPPORTED
     *     for utilization in MIG mode
     */
    public Answer<List<Sample>> read(Kind kind, long since) {
        Scratch scratch = Scratch.fresh();
        MemorySegment type = scratch.take(JAVA_INT);
        MemorySegment count = scratch.take(JAVA_INT);
        int code = device.calls().call(FUNCTION, device, kind.code(), since, type, count, MemorySegment.NULL);
        if (code != NvmlReturn.SUCCESS.code()) {
            return Queries.refused(FUNCTION, code);
        }
        long expected = Integer.toUnsignedLong(count.get(JAVA_INT, 0));
        if (expected == 0) {
            return new Answer.Value<>(List.of());
        }
        return read(kind, since, (int) Math.min(expected + MORE, LARGEST_COUNT));
    }

    private Answer<List<Sample>> read(Kind kind, long since, int capacity) {
        CountedArray array = CountedArray.of(FUNCTION, nvmlSample_t.byteSize());
        Scratch scratch = Scratch.fresh();
        MemorySegment type = scratch.take(JAVA_INT);
        MemorySegment count = scratch.take(JAVA_INT);
        MemorySegment samples = scratch.take(capacity * nvmlSample_t.byteSize());
        count.set(JAVA_INT, 0, capacity);
        int code = device.calls().call(FUNCTION, device, kind.code(), since, type, count, samples);
        return Queries.answer(
                FUNCTION,
                code,
                samples,
                s -> array.elements(
                                s,
                                Integer.toUnsignedLong(count.get(JAVA_INT, 0)),
                                sample -> Sample.of(new Struct(nvmlSample_t, sample), type.get(JAVA_INT, 0)))
                        .map(list -> list.stream().flatMap(Optional::stream).toList()));
    }

    /**
     * A sample.
     *
     * @param time when, in microseconds since the epoch
     * @param value what was measured, in the unit of its {@link Kind}
     */
    public record Sample(long time, Number value) {
        private static Optional<Sample> of(Struct sample, int type) {
            return ValueUnion.read(FUNCTION, type, sample.part("sampleValue"))
                    .value()
                    .map(value -> new Sample(sample.u64("timeStamp"), value));
        }
    }

    /** {@code nvmlSamplingType_t}. */
    public enum Kind implements CEnum {
        /** Power drawn by the GPU, milliwatts. */
        TOTAL_POWER(0),
        /** Percent of time in which a kernel ran. */
        GPU_UTILIZATION(1),
        /** Percent of time in which memory was read or written. */
        MEMORY_UTILIZATION(2),
        /** Percent of time in which the video encoder was busy. */
        ENCODER_UTILIZATION(3),
        /** Percent of time in which the video decoder was busy. */
        DECODER_UTILIZATION(4),
        /** The processor clock, MHz. */
        PROCESSOR_CLOCK(5),
        /** The memory clock, MHz. */
        MEMORY_CLOCK(6),
        /** Power drawn by GPU and CPU of a Grace module together, milliwatts. */
        MODULE_POWER(7),
        /** Percent of time in which the JPEG engine was busy. */
        JPEG_UTILIZATION(8),
        /** Percent of time in which the optical flow engine was busy. */
        OFA_UTILIZATION(9);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
