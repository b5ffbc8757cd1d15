// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.io.Serial;

/** MIG could not be read or changed; the message is one sentence: what was called, on what, and what came of it. */
public final class MigException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Cause {
        /** NVML refused; see {@link MigException#code()}. */
        REFUSED,
        /** A call did not return in time and may still be under way. */
        OVERDUE,
        /** Somebody else changed the layout. */
        CHANGED,
        /** NVML said yes, and reading shows otherwise. */
        UNVERIFIED,
        /** A file could not be read or written. */
        STORAGE,
        /** Whoever stands on an instance does not leave it. */
        HELD
    }

    private final Cause reason;
    private final int code;

    /**
     * Makes one.
     *
     * @param reason why
     * @param code the {@code nvmlReturn_t}; 0 where it is not about one
     * @param sentence the message
     */
    public MigException(Cause reason, int code, String sentence) {
        super(sentence);
        this.reason = reason;
        this.code = code;
    }

    /**
     * Makes one that is about no code of NVML.
     *
     * @param reason why
     * @param sentence the message
     */
    public MigException(Cause reason, String sentence) {
        this(reason, 0, sentence);
    }

    /**
     * Why.
     *
     * @return the reason
     */
    public Cause reason() {
        return reason;
    }

    /**
     * What NVML returned.
     *
     * @return an {@code nvmlReturn_t}; 0 where it is not about one
     */
    public int code() {
        return code;
    }
}
