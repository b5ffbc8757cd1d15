// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ScratchTest {
    @Test
    void whatItHandsOutIsZeroEvenAfterUse() {
        Scratch.fresh().take(64).fill((byte) 0xFF);

        assertThat(Scratch.fresh().take(64).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void segmentsOfOneCallLieApartAndAreAlignedForEveryType() {
        Scratch scratch = Scratch.fresh();
        List<MemorySegment> taken = new ArrayList<>();
        for (long bytes : new long[] {1, 4, 30, 8, 68, 2}) {
            taken.add(scratch.take(bytes));
        }

        for (int i = 0; i < taken.size(); i++) {
            assertThat(taken.get(i).address() % Long.BYTES).isZero();
            for (MemorySegment later : taken.subList(i + 1, taken.size())) {
                assertThat(taken.get(i).asOverlappingSlice(later)).isEmpty();
            }
        }
    }

    @Test
    void theNextCallTakesTheSameMemory() {
        long first = Scratch.fresh().take(40).address();

        assertThat(Scratch.fresh().take(ValueLayout.JAVA_INT).address()).isEqualTo(first);
    }

    @Test
    void itGrowsAndLeavesWhatWasHandedOutAlone() {
        Scratch scratch = Scratch.fresh();
        MemorySegment before = scratch.take(ValueLayout.JAVA_LONG);
        before.set(ValueLayout.JAVA_LONG, 0, 42);

        MemorySegment large = scratch.take(1_000_001);
        MemorySegment after = scratch.take(ValueLayout.JAVA_LONG);
        large.fill((byte) 0xFF);

        assertThat(large.byteSize()).isEqualTo(1_000_001);
        assertThat(before.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
        assertThat(after.get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @Test
    void onceGrownItStaysLarge() {
        long large = Scratch.fresh().take(3_000_000).address();

        assertThat(Scratch.fresh().take(3_000_000).address()).isEqualTo(large);
    }

    @Test
    void threadsHaveOneEach() {
        MemorySegment here = Scratch.fresh().take(64);
        MemorySegment there = CompletableFuture.supplyAsync(
                        () -> Scratch.fresh().take(64),
                        task -> Thread.ofPlatform().start(task))
                .join();

        assertThat(here.asOverlappingSlice(there)).isEmpty();
    }

    @Test
    void segmentHasTheLengthThatWasAskedForWhateverLayThereBefore() {
        for (long bytes : new long[] {8, 4, 68, 4, 1024, 8}) {
            assertThat(Scratch.fresh().take(bytes).byteSize()).isEqualTo(bytes);
        }
    }

    @Test
    void aSegmentThatIsAskedForAgainIsNotMadeAgain() {
        MemorySegment first = Scratch.fresh().take(40);

        assertThat(Scratch.fresh().take(40)).isSameAs(first);
    }
}
