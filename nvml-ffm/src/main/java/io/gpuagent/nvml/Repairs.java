// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlRepairStatus_v1_t;
import static io.gpuagent.nvml.internal.ReliabilityLayouts.nvmlRowRemapperHistogramValues_t;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** How much room for repair the memory has left, and which repairs wait for a reset; see also {@link Ecc#remappedRows}. */
public final class Repairs {
    private final Handle device;

    Repairs(Handle device) {
        this.device = device;
    }

    /**
     * How many spare rows the banks have left (nvmlDeviceGetRowRemapperHistogram).
     *
     * @return banks by what they have left; NOT_SUPPORTED before Ampere
     */
    public Answer<Histogram> rowRemapper() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetRowRemapperHistogram,
                nvmlRowRemapperHistogramValues_t,
                out -> new Histogram(
                        out.u32("max"), out.u32("high"), out.u32("partial"), out.u32("low"), out.u32("none")));
    }

    /**
     * Repairs that wait for a reset (nvmlDeviceGetRepairStatus), on Ampere and newer.
     *
     * @return what waits
     */
    public Answer<Pending> pending() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetRepairStatus,
                nvmlRepairStatus_v1_t,
                1,
                out -> new Pending(out.flag("bChannelRepairPending"), out.flag("bTpcRepairPending")));
    }

    /**
     * Pages that were retired, or will be (nvmlDeviceGetRetiredPages_v2; in older drivers nvmlDeviceGetRetiredPages,
     * which tells no time).
     *
     * @param cause why
     * @return the pages; NOT_SUPPORTED since Ampere, where rows are remapped instead
     */
    public Answer<List<RetiredPage>> retiredPages(Cause cause) {
        return Versions.newest(List.of(() -> retiredPagesWithTime(cause), () -> retiredPagesWithoutTime(cause)));
    }

    private Answer<List<RetiredPage>> retiredPagesWithTime(Cause cause) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetRetiredPages_v2;
        long half = JAVA_LONG.byteSize();
        // Two arrays in one: addresses, then times.
        return CountedArray.of(function, 2 * half)
                .readWhole(
                        (count, array) -> device.calls()
                                .call(function, device, cause.c, count, array, array.asSlice(array.byteSize() / 2)),
                        (array, count) -> new Answer.Value<>(LongStream.range(0, count)
                                .mapToObj(i -> new RetiredPage(
                                        array.getAtIndex(JAVA_LONG, i),
                                        time(array.get(JAVA_LONG, array.byteSize() / 2 + i * half))))
                                .toList()));
    }

    private Answer<List<RetiredPage>> retiredPagesWithoutTime(Cause cause) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetRetiredPages;
        return CountedArray.of(function, JAVA_LONG.byteSize())
                .read(
                        (count, array) -> device.calls().call(function, device, cause.c, count, array),
                        page -> new RetiredPage(page.get(JAVA_LONG, 0), OptionalLong.empty()));
    }

    /** GPUs before Pascal know no time and leave it zero. */
    private static OptionalLong time(long time) {
        return time == 0 || time == Queries.NOT_AVAILABLE_64 ? OptionalLong.empty() : OptionalLong.of(time);
    }

    /**
     * Whether pages wait for a reboot to be retired (nvmlDeviceGetRetiredPagesPendingStatus).
     *
     * @return true where some do; NOT_SUPPORTED since Ampere
     */
    public Answer<Boolean> isRetirementPending() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetRetiredPagesPendingStatus);
    }

    /** {@code nvmlPageRetirementCause_t}. */
    public enum Cause {
        /** Several single-bit errors. */
        MULTIPLE_SINGLE_BIT_ECC_ERRORS(0),
        /** A double-bit error. */
        DOUBLE_BIT_ECC_ERROR(1);

        private final int c;

        Cause(int c) {
            this.c = c;
        }
    }

    /**
     * Banks by the spare rows that they have left ({@code nvmlRowRemapperHistogramValues_t}).
     *
     * @param max banks with all of them
     * @param high banks with many
     * @param partial banks with some
     * @param low banks with few
     * @param none banks with none: the next error there is not repaired
     */
    public record Histogram(long max, long high, long partial, long low, long none) {}

    /**
     * What waits for a reset ({@code nvmlRepairStatus_t}).
     *
     * @param channel repair of a memory channel
     * @param tpc repair of a texture processing cluster
     */
    public record Pending(boolean channel, boolean tpc) {}

    /**
     * A page of memory that is no longer used.
     *
     * @param address its hardware address; the one in the message of Xid 63, not one that CUDA knows
     * @param time when, as the driver gives it: nvml.h names no unit; empty where the driver does not tell
     */
    public record RetiredPage(long address, OptionalLong time) {}
}
