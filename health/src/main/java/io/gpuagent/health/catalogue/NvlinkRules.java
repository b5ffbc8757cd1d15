// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.catalogue;

import io.gpuagent.health.line.XidMessage;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.util.List;
import java.util.Optional;

/**
 * What an error of an NVLink of the fifth generation asks for. The same status word means different things in different
 * units, so the unit decides with it; and the unit's number has another place in the first register since driver R575.
 */
final class NvlinkRules {
    private static final String EACH = "*";
    private static final int NEW_LAYOUT_SINCE = 575;
    private static final int UNIT_SHIFT_OLD = 5;
    private static final int UNIT_MASK_OLD = 0x1F;
    private static final int UNIT_MASK_NEW = 0x7F;
    private static final int SUBCODE_SHIFT = 20;
    private static final int SUBCODE_MASK = 0x3F;

    private final List<Rule> rules;

    private record Rule(int xid, String unit, int number, List<String> statuses, String asks) {
        boolean fits(int code, XidMessage.Nvlink link) {
            String status = link.errorStatus()
                    .map(word -> "0x" + Long.toHexString(word))
                    .orElse("");
            return code == xid
                    && (unit.equals(EACH) || unit.equals(link.unit()))
                    && (statuses.contains(EACH) || statuses.contains(status));
        }
    }

    NvlinkRules(Table table) {
        rules = table.rows().stream()
                .map(row -> new Rule(
                        Integer.parseInt(row[0]),
                        row[1],
                        row[2].equals("-") ? -1 : Integer.parseInt(row[2]),
                        List.of(row[3].split(",", -1)),
                        row[4]))
                .toList();
    }

    XidMeaning meaning(XidMeaning row, int code, XidMessage.Nvlink link, Optional<String> driver) {
        String asks = rules.stream()
                .filter(rule -> rule.fits(code, link))
                .findFirst()
                .map(Rule::asks)
                .orElse("ask");
        // The rules are written for subcode 0 of the unit that the line names; elsewhere the GPU itself is asked.
        if (!isOfUnit(link, driver)) {
            asks = "ask";
        }
        boolean isFatal = link.isFatal() && !link.isInjected();
        HealthAction action = asks.equals("reset") || isFatal ? HealthAction.DRAIN_AND_RESET : HealthAction.NONE;
        return new XidMeaning(
                row.kind(),
                isFatal ? HealthState.CRITICAL : HealthState.WARN,
                action,
                isFatal ? ClearsOn.RESET : ClearsOn.QUIET,
                true,
                row.isOneProgram(),
                row.mayBeContradicted(),
                row.follows(),
                row.engine(),
                (isFatal ? "an NVLink failed fatally" : row.text())
                        + (link.isInjected() ? ", injected on purpose" : ""));
    }

    private boolean isOfUnit(XidMessage.Nvlink link, Optional<String> driver) {
        Optional<Integer> wanted = rules.stream()
                .filter(rule -> rule.unit().equals(link.unit()) && rule.number() >= 0)
                .findFirst()
                .map(Rule::number);
        if (wanted.isEmpty() || link.intrInfo().isEmpty()) {
            return true;
        }
        long word = link.intrInfo().get();
        if (((word >> SUBCODE_SHIFT) & SUBCODE_MASK) != 0) {
            return false;
        }
        long oldUnit = (word >> UNIT_SHIFT_OLD) & UNIT_MASK_OLD;
        long newUnit = word & UNIT_MASK_NEW;
        int number = wanted.get();
        Optional<Boolean> isNew = driver.flatMap(NvlinkRules::major).map(major -> major >= NEW_LAYOUT_SINCE);
        return isNew.map(layout -> (layout ? newUnit : oldUnit) == number)
                .orElse(newUnit == number || oldUnit == number);
    }

    private static Optional<Integer> major(String driver) {
        int dot = driver.indexOf('.');
        try {
            return Optional.of(Integer.parseInt(dot < 0 ? driver : driver.substring(0, dot)));
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }
}
