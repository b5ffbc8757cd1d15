// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InFlightTest {
    private static final int NO_GPU = -1;

    private final InFlight calls = new InFlight();

    @ParameterizedTest
    @ValueSource(ints = {NO_GPU, 0, 7, 15, 16, 63, Integer.MAX_VALUE})
    void callOfAnyGpuCountsUntilItLeaves(int gpu) {
        calls.enter(gpu);
        assertThat(calls.isNone()).isFalse();

        calls.leave(gpu);
        assertThat(calls.isNone()).isTrue();
    }

    @Test
    void callsOfGpusThatShareACounterAreBothCounted() {
        calls.enter(0);
        calls.enter(16);
        calls.leave(0);

        assertThat(calls.isNone()).isFalse();
    }

    @Test
    void callsOfDifferentGpusAreNotSetOffAgainstEachOther() {
        calls.enter(3);
        calls.enter(NO_GPU);
        calls.leave(3);
        assertThat(calls.isNone()).isFalse();

        calls.leave(NO_GPU);
        assertThat(calls.isNone()).isTrue();
    }
}
