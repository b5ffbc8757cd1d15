// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * The licence of a vGPU ({@code nvmlVgpuLicenseInfo_t}).
 *
 * @param licensed whether it has one
 * @param state in what state it is
 * @param expiryKind what is known of its end
 * @param expiry its end, UTC; empty unless {@code expiryKind} is VALID
 */
public record VgpuLicense(
        boolean licensed, Coded<State> state, Coded<Expiry> expiryKind, Optional<LocalDateTime> expiry) {
    static VgpuLicense of(Struct s) {
        Struct expiry = s.struct("licenseExpiry");
        int kind = expiry.u8("status");
        return new VgpuLicense(
                s.u8("isLicensed") != 0,
                s.coded("currentState", State.class),
                Coded.of(kind, Expiry.class),
                kind == Expiry.VALID.c ? time(expiry) : Optional.empty());
    }

    private static Optional<LocalDateTime> time(Struct s) {
        try {
            return Optional.of(LocalDateTime.of(
                    s.s32("year"), s.u16("month"), s.u16("day"), s.u16("hour"), s.u16("min"), s.u16("sec")));
        } catch (DateTimeException e) {
            // A date that the driver calls valid and the calendar does not have.
            return Optional.empty();
        }
    }

    /** NVML_GRID_LICENSE_STATE_*. */
    public enum State implements CEnum {
        /** Not known. */
        UNKNOWN(0),
        /** The driver in the machine has not started yet. */
        UNINITIALIZED(1),
        /** No licence yet, and full speed for a while. */
        UNLICENSED_UNRESTRICTED(2),
        /** No licence, and slowed down. */
        UNLICENSED_RESTRICTED(3),
        /** No licence. */
        UNLICENSED(4),
        /** Licensed. */
        LICENSED(5);

        private final int c;

        State(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }

    /** NVML_GRID_LICENSE_EXPIRY_*. */
    public enum Expiry implements CEnum {
        /** Not known. */
        NOT_AVAILABLE(0),
        /** Could not be read. */
        INVALID(1),
        /** Known. */
        VALID(2),
        /** There is none, for there is no licence. */
        NOT_APPLICABLE(3),
        /** Never. */
        PERMANENT(4);

        private final int c;

        Expiry(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }
}
