// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arrays of which only the driver knows the size, by the example of clocks. */
class CountedArrayTest {
    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetSupportedMemoryClocks;

    private final FakeLibrary library = new FakeLibrary();
    private final Clocks clocks = FakeGpu.of(library).clocks();
    private final List<Integer> rooms = new ArrayList<>();

    private void driverWith(int count) {
        library.with(FUNCTION.name(), arguments -> {
            int room = FakeGpu.read(arguments[1]);
            rooms.add(room);
            FakeGpu.write(arguments[1], count);
            if (room < count) {
                return NvmlReturn.INSUFFICIENT_SIZE.code();
            }
            FakeGpu.write(arguments[2], IntStream.range(0, count).toArray());
            return 0;
        });
    }

    @Test
    void smallOnesTakeOneCall() {
        driverWith(2);

        assertThat(clocks.supportedMemory().orThrow()).containsExactly(0L, 1L);
        assertThat(rooms).hasSize(1);
    }

    @Test
    void emptyOnesAreEmpty() {
        driverWith(0);

        assertThat(clocks.supportedMemory().orThrow()).isEmpty();
    }

    @Test
    void largerOnesAreAskedForAgainWithRoomForAFewMore() {
        driverWith(1000);

        assertThat(clocks.supportedMemory().orThrow()).hasSize(1000).endsWith(999L);
        assertThat(rooms).containsExactly(128, 1008);
    }

    @Test
    void oneThatAlwaysOutgrowsItsRoomIsGivenUp() {
        library.with(FUNCTION.name(), arguments -> {
            rooms.add(FakeGpu.read(arguments[1]));
            FakeGpu.write(arguments[1], -1);
            return NvmlReturn.INSUFFICIENT_SIZE.code();
        });

        assertThat(clocks.supportedMemory()).isEqualTo(new Answer.Refused<>(FUNCTION, NvmlReturn.INSUFFICIENT_SIZE));
        assertThat(rooms).hasSize(5).endsWith(65_536);
    }

    @Test
    void successWithMoreThanFitsIsNoArray() {
        library.with(FUNCTION.name(), arguments -> {
            FakeGpu.write(arguments[1], 129);
            return 0;
        });

        assertThat(clocks.supportedMemory()).isEqualTo(new Answer.Unavailable<>(FUNCTION));
    }

    @Test
    void otherRefusalsAreTheAnswer() {
        library.with(FUNCTION.name(), NvmlReturn.NOT_SUPPORTED);

        assertThat(clocks.supportedMemory()).isEqualTo(new Answer.Refused<>(FUNCTION, NvmlReturn.NOT_SUPPORTED));
    }

    @Test
    void selectorArrivesBeforeTheArray() {
        library.with("nvmlDeviceGetSupportedGraphicsClocks", arguments -> {
            FakeGpu.write(arguments[2], 2);
            FakeGpu.write(arguments[3], (int) arguments[1], 1980);
            return 0;
        });

        assertThat(clocks.supportedGraphics(3201).orThrow()).containsExactly(3201L, 1980L);
    }
}
