// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Why a GPU's clocks are lower than they could be: the bits {@code nvmlClocksEventReason*} of nvml.h. */
public enum ClockEventReason {
    /** Nothing runs. */
    GPU_IDLE(0x1),
    /** Application clocks were set. */
    APPLICATIONS_CLOCKS_SETTING(0x2),
    /** The software power cap. */
    SW_POWER_CAP(0x4),
    /** Hardware slowdown: temperature, power brake or a power draw too high. */
    HW_SLOWDOWN(0x8),
    /** Another GPU of the sync boost group is slower. */
    SYNC_BOOST(0x10),
    /** The software thermal slowdown. */
    SW_THERMAL_SLOWDOWN(0x20),
    /** The hardware thermal slowdown. */
    HW_THERMAL_SLOWDOWN(0x40),
    /** The external power brake. */
    HW_POWER_BRAKE_SLOWDOWN(0x80),
    /** The display clock setting. */
    DISPLAY_CLOCK_SETTING(0x100),
    /** A reason newer than this list: clocks are limited, and this version cannot say why. */
    OTHER(0);

    private static final List<ClockEventReason> ALL = List.of(values());

    private final long bit;

    ClockEventReason(long bit) {
        this.bit = bit;
    }

    /**
     * The name as a label value.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The mask of a set of reasons, as NVML has it.
     *
     * @param reasons the reasons; {@link #OTHER} has no bit
     * @return the bit mask
     */
    public static long mask(Set<ClockEventReason> reasons) {
        return reasons.stream().mapToLong(reason -> reason.bit).reduce(0, (a, b) -> a | b);
    }

    /**
     * The reasons in a mask; bits newer than this list are {@link #OTHER}.
     *
     * @param mask NVML's bit mask
     * @return the reasons
     */
    public static Set<ClockEventReason> of(long mask) {
        EnumSet<ClockEventReason> reasons = EnumSet.noneOf(ClockEventReason.class);
        long left = mask;
        for (ClockEventReason reason : ALL) {
            if ((mask & reason.bit) != 0) {
                reasons.add(reason);
                left &= ~reason.bit;
            }
        }
        if (left != 0) {
            reasons.add(OTHER);
        }
        return reasons;
    }
}
