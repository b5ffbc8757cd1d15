// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import java.util.Optional;
import java.util.OptionalInt;

/** Takes the messages of Xids apart. */
final class XidMessages {
    private static final int UNIT_MAX = 40;

    private XidMessages() {}

    static Optional<XidMessage.CausedBy> causedBy(String message) {
        Scanner line = new Scanner(message);
        if (line.until("caused by previous Xid ").isEmpty()) {
            return Optional.empty();
        }
        OptionalInt root = line.number();
        return root.isPresent() ? Optional.of(new XidMessage.CausedBy(root.getAsInt())) : Optional.empty();
    }

    static Optional<XidMessage.RecoveryAction> recoveryAction(String message) {
        Scanner line = new Scanner(message);
        if (!line.skip("GPU recovery action changed from ")) {
            return Optional.empty();
        }
        Optional<Long> from = line.hex();
        if (from.isEmpty() || line.until(") to ").isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> to = line.hex();
        return to.map(action -> new XidMessage.RecoveryAction(from.get().intValue(), action.intValue()));
    }

    static Optional<XidMessage.Containment> containment(String message) {
        boolean isContained = message.startsWith("Contained: ");
        if (!isContained && !message.startsWith("Uncontained: ")) {
            return Optional.empty();
        }
        // "D-RST: " holds "RST: ", too; the first one is that of the GPU.
        int reset = message.indexOf(" RST: ");
        boolean needsReset = reset >= 0 && message.startsWith("Yes", reset + " RST: ".length());
        return Optional.of(new XidMessage.Containment(isContained, needsReset));
    }

    /** {@code ... on (GPC 0, TPC 1, SM 0): ...}. */
    static Optional<XidMessage.Place> place(String message) {
        Scanner line = new Scanner(message);
        if (line.until("(GPC ").isEmpty()) {
            return Optional.empty();
        }
        OptionalInt gpc = line.number();
        if (gpc.isEmpty() || !line.skip(", TPC ")) {
            return Optional.empty();
        }
        OptionalInt tpc = line.number();
        return tpc.isPresent()
                ? Optional.of(new XidMessage.Place("GPC " + gpc.getAsInt() + ", TPC " + tpc.getAsInt()))
                : Optional.empty();
    }

    /** {@code RLW_SRC_TRACK Nonfatal XC1 i0 Link 17 (0x04084507 0x00000004 ...}; the end may be cut off. */
    static Optional<XidMessage.Nvlink> nvlink(String message) {
        Scanner line = new Scanner(message);
        String unit = line.before(' ');
        line.blanks();
        boolean isFatal = line.skip("Fatal");
        if (!isUnit(unit) || (!isFatal && !line.skip("Nonfatal"))) {
            return Optional.empty();
        }
        line.blanks();
        OptionalInt injected = OptionalInt.empty();
        if (line.skip("XC")) {
            line.blanks();
            line.number();
            line.blanks();
            if (line.skip("i")) {
                line.blanks();
                injected = line.number();
            }
        }
        line.blanks();
        OptionalInt link = OptionalInt.empty();
        if (line.skip("Link")) {
            line.blanks();
            boolean isNone = line.skip("-");
            OptionalInt number = line.number();
            link = isNone ? OptionalInt.empty() : number;
        }
        line.blanks();
        Optional<Long> intrInfo = Optional.empty();
        Optional<Long> errorStatus = Optional.empty();
        if (line.skip("(")) {
            intrInfo = line.hex();
            line.blanks();
            errorStatus = line.hex();
        }
        boolean isInjected = injected.isPresent() && injected.getAsInt() != 0;
        return Optional.of(new XidMessage.Nvlink(unit, isFatal, isInjected, link, intrInfo, errorStatus));
    }

    private static boolean isUnit(String unit) {
        return !unit.isEmpty()
                && unit.length() <= UNIT_MAX
                && unit.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/');
    }
}
