// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Kinds of events of a GPU (nvmlEventType*), a bit each. */
public enum EventType {
    /** A single-bit ECC error. */
    SINGLE_BIT_ECC_ERROR(0x1),
    /** A double-bit ECC error. */
    DOUBLE_BIT_ECC_ERROR(0x2),
    /** The P-state changed. */
    PSTATE(0x4),
    /** An Xid error. */
    XID_CRITICAL_ERROR(0x8),
    /** A clock changed; Kepler only. */
    CLOCK(0x10),
    /** Power comes from another source. */
    POWER_SOURCE_CHANGE(0x80),
    /** The MIG configuration changed. */
    MIG_CONFIG_CHANGE(0x100),
    /** Many single-bit ECC errors. */
    SINGLE_BIT_ECC_ERROR_STORM(0x200),
    /** Memory was retired. */
    DRAM_RETIREMENT_EVENT(0x400),
    /** Memory could not be retired. */
    DRAM_RETIREMENT_FAILURE(0x800),
    /** Poisoned data; the GPU goes on. */
    NON_FATAL_POISON_ERROR(0x1000),
    /** Poisoned data; the GPU does not go on. */
    FATAL_POISON_ERROR(0x2000),
    /** The GPU is not available. */
    GPU_UNAVAILABLE_ERROR(0x4000),
    /** What helps the GPU has changed; the field {@link FieldId#GET_GPU_RECOVERY_ACTION} says what does. */
    GPU_RECOVERY_ACTION(0x8000);

    private final long bit;

    EventType(long bit) {
        this.bit = bit;
    }

    /**
     * NVML's bit of it.
     *
     * @return one bit
     */
    public long bit() {
        return bit;
    }

    /**
     * The kind of a bit.
     *
     * @param bit one bit
     * @return the kind; empty for one newer than nvml.h 13.0
     */
    public static Optional<EventType> of(long bit) {
        return Stream.of(values()).filter(type -> type.bit == bit).findFirst();
    }

    /**
     * The mask of some kinds.
     *
     * @param types the kinds
     * @return their bits
     */
    public static long mask(Collection<EventType> types) {
        return types.stream().mapToLong(EventType::bit).reduce(0, (a, b) -> a | b);
    }

    /**
     * The kinds of a mask. Bits that nvml.h 13.0 does not know are left out.
     *
     * @param mask bits
     * @return the kinds
     */
    public static Set<EventType> setOf(long mask) {
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        Stream.of(values()).filter(type -> (mask & type.bit) != 0).forEach(types::add);
        return types;
    }
}
