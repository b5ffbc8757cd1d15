// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramErrorStatus_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramUniqueUncorrectedErrorCounts_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramUniqueUncorrectedErrorEntry_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlRepairStatus_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlRowRemapperHistogramValues_t;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Repairs.Cause;
import io.gpuagent.nvml.Repairs.RetiredPage;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Memory errors and repairs. */
class ReliabilityTest {
    private static final int INSUFFICIENT_SIZE = NvmlReturn.INSUFFICIENT_SIZE.code();

    private final FakeSession session = new FakeSession();
    private final Gpu gpu = session.gpu(0);

    @Test
    void errorsAreAskedByTypeCounterAndLocation() {
        session.with("nvmlDeviceGetMemoryErrorCounter", arguments -> {
            FakeSession.writeLong(arguments[4], 100 * arguments[1] + 10 * arguments[2] + arguments[3]);
            return 0;
        });

        assertThat(gpu.ecc().count(Ecc.ErrorType.UNCORRECTED, Ecc.Counter.AGGREGATE, Ecc.Location.SRAM))
                .isEqualTo(new Answer.Value<>(117L));
    }

    @Test
    void sramErrorsAreSortedByAgeKindAndPlace() {
        session.with("nvmlDeviceGetSramEccErrorStatus", arguments -> {
            FakeSession.struct(arguments[1], nvmlEccSramErrorStatus_v1_t)
                    .set("volatileCor", 1L)
                    .set("volatileUncParity", 2L)
                    .set("volatileUncSecDed", 3L)
                    .set("aggregateCor", 4L)
                    .set("aggregateUncParity", 5L)
                    .set("aggregateUncSecDed", 6L)
                    .set("aggregateUncBucketL2", 7L)
                    .set("aggregateUncBucketOther", 8L)
                    .set("bThresholdExceeded", 1);
            return 0;
        });

        assertThat(gpu.sram().status())
                .isEqualTo(new Answer.Value<>(new Sram.Status(
                        new Sram.Counts(1, 2, 3), new Sram.Counts(4, 5, 6), new Sram.Places(7, 0, 0, 0, 8), true)));
    }

    @Test
    void sramErrorsThatOutgrowTheirRoomAreAskedForAgain() {
        session.with("nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts", arguments -> {
            FakeSession.Struct request = FakeSession.struct(arguments[1], nvmlEccSramUniqueUncorrectedErrorCounts_v1_t);
            int room = request.getInt("entryCount");
            request.set("entryCount", 50);
            if (room < 50) {
                return INSUFFICIENT_SIZE;
            }
            for (int i = 0; i < 50; i++) {
                long entry = request.getLong("entries") + i * nvmlEccSramUniqueUncorrectedErrorEntry_v1_t.byteSize();
                FakeSession.struct(entry, nvmlEccSramUniqueUncorrectedErrorEntry_v1_t)
                        .set("unit", 1)
                        .set("location", 2)
                        .set("sublocation", 3)
                        .set("extlocation", 4)
                        .set("address", i)
                        .set("isParity", 1)
                        .set("count", 6);
            }
            return 0;
        });

        List<Sram.Entry> entries = gpu.sram().uncorrected().orThrow();

        assertThat(entries).hasSize(50);
        assertThat(entries.getLast()).isEqualTo(new Sram.Entry(1, 2, 3, 4, 49, true, 6));
    }

    @Test
    void libraryThatNeverHasEnoughRoomIsGivenUp() {
        AtomicInteger calls = new AtomicInteger();
        session.with("nvmlDeviceGetRetiredPages_v2", arguments -> {
            calls.incrementAndGet();
            FakeSession.writeInt(arguments[2], -1);
            return INSUFFICIENT_SIZE;
        });

        assertThat(gpu.repairs().retiredPages(Cause.DOUBLE_BIT_ECC_ERROR))
                .isEqualTo(
                        new Answer.Refused<>(NvmlFunction.nvmlDeviceGetRetiredPages_v2, NvmlReturn.INSUFFICIENT_SIZE));
        assertThat(calls.get()).isLessThan(10);
    }

    @Test
    void countAboveTheRoomIsNoList() {
        session.with("nvmlDeviceGetRetiredPages_v2", arguments -> {
            FakeSession.writeInt(arguments[2], 1_000);
            return 0;
        });

        assertThat(gpu.repairs().retiredPages(Cause.DOUBLE_BIT_ECC_ERROR))
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetRetiredPages_v2));
    }

    @Test
    void retiredPagesHaveTheirTimes() {
        session.with("nvmlDeviceGetRetiredPages_v2", arguments -> {
            FakeSession.writeInt(arguments[2], 2);
            FakeSession.writeLong(arguments[3], 0xA000);
            FakeSession.writeLong(arguments[3] + 8, 0xB000);
            FakeSession.writeLong(arguments[4], 1_700_000_000);
            return arguments[1] == 1 ? 0 : 2;
        });

        assertThat(gpu.repairs().retiredPages(Cause.DOUBLE_BIT_ECC_ERROR).orThrow())
                .containsExactly(
                        new RetiredPage(0xA000, OptionalLong.of(1_700_000_000)),
                        new RetiredPage(0xB000, OptionalLong.empty()));
    }

    @Test
    void olderDriverTellsPagesWithoutTimes() {
        session.with("nvmlDeviceGetRetiredPages", arguments -> {
            FakeSession.writeInt(arguments[2], 1);
            FakeSession.writeLong(arguments[3], 0xA000);
            return 0;
        });

        assertThat(gpu.repairs()
                        .retiredPages(Cause.MULTIPLE_SINGLE_BIT_ECC_ERRORS)
                        .orThrow())
                .containsExactly(new RetiredPage(0xA000, OptionalLong.empty()));
    }

    @Test
    void repairsThatWaitAndSpareRowsAreRead() {
        session.with("nvmlDeviceGetRepairStatus", arguments -> {
                    FakeSession.struct(arguments[1], nvmlRepairStatus_v1_t).set("bTpcRepairPending", 1);
                    return 0;
                })
                .with("nvmlDeviceGetRowRemapperHistogram", arguments -> {
                    FakeSession.struct(arguments[1], nvmlRowRemapperHistogramValues_t)
                            .set("max", 3_070)
                            .set("high", 1)
                            .set("none", 1);
                    return 0;
                });

        assertThat(gpu.repairs().pending().orThrow()).isEqualTo(new Repairs.Pending(false, true));
        assertThat(gpu.repairs().rowRemapper().orThrow()).isEqualTo(new Repairs.Histogram(3_070, 1, 0, 0, 1));
    }
}
