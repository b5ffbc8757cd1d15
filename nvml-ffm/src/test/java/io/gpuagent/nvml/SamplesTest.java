// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlSample_t;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The driver's own samples: it says how many there are, then gives as many as fit. */
class SamplesTest {
    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetSamples;

    private final FakeLibrary library = new FakeLibrary();
    private final Samples samples = FakeGpu.of(library).samples();

    /** A driver with samples of 32 bits, and as many as it said unless more have come. */
    private void driverWith(int said, int... values) {
        library.with(FUNCTION.name(), arguments -> {
            FakeGpu.write(arguments[3], 1);
            if (arguments[5] == 0) {
                FakeGpu.write(arguments[4], said);
                return 0;
            }
            int given = Math.min(values.length, FakeGpu.read(arguments[4]));
            for (int i = 0; i < given; i++) {
                Struct sample = FakeGpu.struct(nvmlSample_t, arguments[5] + i * nvmlSample_t.byteSize());
                sample.set("timeStamp", arguments[2] + 10 * arguments[1] + i);
                sample.set("sampleValue", values[i]);
            }
            FakeGpu.write(arguments[4], given);
            return 0;
        });
    }

    @Test
    void kindAndTimeArriveAndSamplesComeInOrder() {
        driverWith(2, 99, 100);

        assertThat(samples.read(Samples.Kind.GPU_UTILIZATION, 1000).orThrow())
                .containsExactly(new Samples.Sample(1010, 99L), new Samples.Sample(1011, 100L));
    }

    @Test
    void samplesThatCameMeanwhileAreThereToo() {
        driverWith(1, 1, 2, 3);

        assertThat(samples.read(Samples.Kind.TOTAL_POWER, 0).orThrow()).hasSize(3);
    }

    @Test
    void valueThatTheDriverDoesNotKnowIsNoSample() {
        driverWith(3, 5, -1, 0);

        assertThat(samples.read(Samples.Kind.TOTAL_POWER, 0).orThrow())
                .extracting(Samples.Sample::value)
                .containsExactly(5L, 0L);
    }

    @Test
    void noneMeansNoSecondCall() {
        driverWith(0, 5);

        assertThat(samples.read(Samples.Kind.TOTAL_POWER, 0).orThrow()).isEmpty();
    }

    @Test
    void refusalsOfEitherCallAreTheAnswer() {
        library.with(FUNCTION.name(), NvmlReturn.NOT_SUPPORTED);
        assertThat(samples.read(Samples.Kind.MODULE_POWER, 0))
                .isEqualTo(new Answer.Refused<>(FUNCTION, NvmlReturn.NOT_SUPPORTED));
    }

    @Test
    void driverThatHasNoneLeftSaysSoInTheSecondCall() {
        library.with(FUNCTION.name(), arguments -> {
            FakeGpu.write(arguments[4], 119);
            return arguments[5] == 0 ? 0 : 6;
        });

        assertThat(samples.read(Samples.Kind.PROCESSOR_CLOCK, 0))
                .isEqualTo(new Answer.Refused<>(FUNCTION, new NvmlReturn(6)));
    }
}
