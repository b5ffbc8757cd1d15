// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import java.util.Optional;
import java.util.OptionalInt;

/** What the message of some Xids says beyond the number. */
public sealed interface XidMessage {
    /**
     * Xid 144 to 150: an error of an NVLink of the fifth generation.
     *
     * @param unit the part of the GPU, such as {@code RLW_SRC_TRACK}
     * @param isFatal the driver's own word
     * @param isInjected whether it was caused on purpose ({@code i1})
     * @param link which link; empty where the driver says -1
     * @param intrInfo the first register word; its layout depends on the driver's version
     * @param errorStatus the second
     */
    record Nvlink(
            String unit,
            boolean isFatal,
            boolean isInjected,
            OptionalInt link,
            Optional<Long> intrInfo,
            Optional<Long> errorStatus)
            implements XidMessage {}

    /**
     * Xid 154: the action that recovers the GPU has changed.
     *
     * @param from the number before
     * @param to the number now
     */
    record RecoveryAction(int from, int to) implements XidMessage {}

    /**
     * Xid 45 of a newer driver: the channel was torn down because of another error.
     *
     * @param root that error
     */
    record CausedBy(int root) implements XidMessage {}

    /**
     * Xid 94 and 95.
     *
     * @param isContained whether only the program was hit
     * @param needsReset what the driver says of a reset
     */
    record Containment(boolean isContained, boolean needsReset) implements XidMessage {}

    /**
     * Xid 13: where on the chip.
     *
     * @param place such as {@code GPC 0, TPC 1}
     */
    record Place(String place) implements XidMessage {}

    /** Nothing more. */
    record Plain() implements XidMessage {}

    /**
     * Takes a message apart.
     *
     * @param code the Xid
     * @param message its message
     * @return what it says
     */
    static XidMessage of(int code, String message) {
        Optional<? extends XidMessage> special = switch (code) {
            case 13 -> XidMessages.place(message);
            case 45 -> XidMessages.causedBy(message);
            case 94, 95 -> XidMessages.containment(message);
            case 144, 145, 146, 147, 148, 149, 150 -> XidMessages.nvlink(message);
            case 154 -> XidMessages.recoveryAction(message);
            default -> Optional.empty();
        };
        return special.isPresent() ? special.get() : new Plain();
    }
}
