// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** Memory errors and what was done about them. */
public final class Ecc {
    private final Handle device;

    Ecc(Handle device) {
        this.device = device;
    }

    /**
     * Whether ECC is on (nvmlDeviceGetEccMode).
     *
     * @return now and after the next reboot
     */
    public Answer<Mode> mode() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetEccMode).map(Mode::of);
    }

    /**
     * Whether the board comes with ECC on (nvmlDeviceGetDefaultEccMode).
     *
     * @return true where it does
     */
    public Answer<Boolean> isOnByDefault() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetDefaultEccMode);
    }

    /**
     * Total of errors (nvmlDeviceGetTotalEccErrors).
     *
     * @param type corrected or uncorrected
     * @param counter since when
     * @return the count
     */
    public Answer<Long> total(ErrorType type, Counter counter) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetTotalEccErrors;
        MemorySegment out = Scratch.fresh().take(JAVA_LONG);
        int code = device.calls().call(function, device, type.c, counter.c, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_LONG, 0)));
    }

    /**
     * Errors in one kind of memory (nvmlDeviceGetMemoryErrorCounter).
     *
     * @param type corrected or uncorrected
     * @param counter since when
     * @param location where
     * @return the count; NOT_SUPPORTED where the GPU does not count there
     */
    public Answer<Long> count(ErrorType type, Counter counter, Location location) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMemoryErrorCounter;
        MemorySegment out = Scratch.fresh().take(JAVA_LONG);
        int code = device.calls().call(function, device, type.c, counter.c, location.c, out);
        return Queries.answer(function, code, out, o -> Queries.unsigned(function, o.get(JAVA_LONG, 0)));
    }

    /**
     * Remapped rows (nvmlDeviceGetRemappedRows).
     *
     * @return the counts; NOT_SUPPORTED before Ampere, where pages are retired instead
     */
    public Answer<RemappedRows> remappedRows() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetRemappedRows;
        Scratch scratch = Scratch.fresh();
        MemorySegment correctable = scratch.take(JAVA_INT);
        MemorySegment uncorrectable = scratch.take(JAVA_INT);
        MemorySegment pending = scratch.take(JAVA_INT);
        MemorySegment failed = scratch.take(JAVA_INT);
        int code = device.calls().call(function, device, correctable, uncorrectable, pending, failed);
        return Queries.answer(
                function,
                code,
                correctable,
                o -> Queries.anyNotAvailable(o, uncorrectable, pending, failed)
                        ? new Answer.Unavailable<>(function)
                        : new Answer.Value<>(new RemappedRows(
                                Integer.toUnsignedLong(o.get(JAVA_INT, 0)),
                                Integer.toUnsignedLong(uncorrectable.get(JAVA_INT, 0)),
                                pending.get(JAVA_INT, 0) != 0,
                                failed.get(JAVA_INT, 0) != 0)));
    }

    /** {@code nvmlMemoryErrorType_t}. */
    public enum ErrorType {
        /** Single-bit errors on volatile memory, corrected. */
        CORRECTED(0),
        /** Double-bit errors, not corrected. */
        UNCORRECTED(1);

        private final int c;

        ErrorType(int c) {
            this.c = c;
        }
    }

    /** {@code nvmlEccCounterType_t}. */
    public enum Counter {
        /** Since the driver was loaded. */
        VOLATILE(0),
        /** Over the life of the board. */
        AGGREGATE(1);

        private final int c;

        Counter(int c) {
            this.c = c;
        }
    }

    /** {@code nvmlMemoryLocation_t}. */
    public enum Location {
        /** The L1 cache. */
        L1_CACHE(0),
        /** The L2 cache. */
        L2_CACHE(1),
        /** Device memory; on Turing and newer DRAM. */
        DEVICE_MEMORY(2),
        /** The register file. */
        REGISTER_FILE(3),
        /** Texture memory. */
        TEXTURE_MEMORY(4),
        /** Shared memory. */
        TEXTURE_SHM(5),
        /** The convergence barrier unit. */
        CBU(6),
        /** SRAM, on Turing and newer. */
        SRAM(7);

        private final int c;

        Location(int c) {
            this.c = c;
        }
    }

    /**
     * Rows that were replaced by spare ones.
     *
     * @param correctable for correctable errors
     * @param uncorrectable for uncorrectable errors
     * @param pending whether a remap waits for a reset
     * @param failed whether a remap has failed
     */
    public record RemappedRows(long correctable, long uncorrectable, boolean pending, boolean failed) {}
}
