// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramErrorStatus_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramUniqueUncorrectedErrorCounts_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlEccSramUniqueUncorrectedErrorEntry_v1_t;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import java.util.List;

/** Errors of the memories on the chip: caches, register files, microcontrollers. */
public final class Sram {
    private final Handle device;

    Sram(Handle device) {
        this.device = device;
    }

    /**
     * Error counts and whether there are too many (nvmlDeviceGetSramEccErrorStatus), on Ampere and newer.
     *
     * @return the counts; NO_PERMISSION unless root
     */
    public Answer<Status> status() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetSramEccErrorStatus,
                nvmlEccSramErrorStatus_v1_t,
                1,
                out -> new Status(
                        counts(out, "volatile"),
                        counts(out, "aggregate"),
                        new Places(
                                out.u64("aggregateUncBucketL2"),
                                out.u64("aggregateUncBucketSm"),
                                out.u64("aggregateUncBucketPcie"),
                                out.u64("aggregateUncBucketMcu"),
                                out.u64("aggregateUncBucketOther")),
                        out.flag("bThresholdExceeded")));
    }

    private static Counts counts(Struct out, String since) {
        return new Counts(out.u64(since + "Cor"), out.u64(since + "UncParity"), out.u64(since + "UncSecDed"));
    }

    /**
     * Uncorrected errors by their address (nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts), on Blackwell and newer.
     *
     * @return an entry for each address; NOT_SUPPORTED while ECC is off
     */
    public Answer<List<Entry>> uncorrected() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts;
        return CountedArray.in(
                        function,
                        nvmlEccSramUniqueUncorrectedErrorCounts_v1_t,
                        "entryCount",
                        nvmlEccSramUniqueUncorrectedErrorEntry_v1_t.byteSize())
                .read(
                        (head, array) -> {
                            Struct request = new Struct(nvmlEccSramUniqueUncorrectedErrorCounts_v1_t, head);
                            request.set("version", Layouts.version(request.layout(), 1));
                            request.set("entries", array);
                            return device.calls().call(function, device, head);
                        },
                        entry -> entry(new Struct(nvmlEccSramUniqueUncorrectedErrorEntry_v1_t, entry)));
    }

    private static Entry entry(Struct entry) {
        return new Entry(
                entry.s32("unit"),
                entry.s32("location"),
                entry.s32("sublocation"),
                entry.s32("extlocation"),
                entry.s32("address"),
                entry.flag("isParity"),
                entry.u32("count"));
    }

    /**
     * Error counts ({@code nvmlEccSramErrorStatus_t}).
     *
     * @param sinceLoad since the driver was loaded
     * @param lifetime over the life of the board
     * @param places where the uncorrected ones over the life of the board were
     * @param isThresholdExceeded whether there are so many that the board is to be looked at by NVIDIA's field
     *     diagnostics
     */
    public record Status(Counts sinceLoad, Counts lifetime, Places places, boolean isThresholdExceeded) {}

    /**
     * Errors by what became of them.
     *
     * @param corrected corrected
     * @param parity uncorrected, found by parity
     * @param secDed uncorrected, found by SEC-DED
     */
    public record Counts(long corrected, long parity, long secDed) {}

    /**
     * Uncorrected errors by where they were.
     *
     * @param l2 the L2 cache
     * @param sm the streaming multiprocessors
     * @param pcie PCI Express
     * @param mcu microcontrollers
     * @param other elsewhere
     */
    public record Places(long l2, long sm, long pcie, long mcu, long other) {}

    /**
     * Uncorrected errors at one address ({@code nvmlEccSramUniqueUncorrectedErrorEntry_v1_t}).
     *
     * @param unit index of the SRAM unit
     * @param location where in the unit
     * @param sublocation where in the location
     * @param extlocation where in the sublocation
     * @param address the address in the unit, an unsigned number
     * @param isParity whether parity found it
     * @param count how many
     */
    public record Entry(
            int unit, int location, int sublocation, int extlocation, int address, boolean isParity, long count) {}
}
