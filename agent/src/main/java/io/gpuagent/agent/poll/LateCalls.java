// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Tells the log when a call has outlived its deadline, and when it has returned after all: a line each. */
final class LateCalls {
    private static final System.Logger LOG = System.getLogger(LateCalls.class.getName());

    private final CallLedger ledger;
    private Map<Integer, CallLedger.Running> known = Map.of();

    LateCalls(CallLedger ledger) {
        this.ledger = ledger;
    }

    /** Compares the calls under way with those of the last time. */
    void report() {
        Map<Integer, CallLedger.Running> late = ledger.running().stream()
                .filter(CallLedger.Running::late)
                .collect(Collectors.toMap(CallLedger.Running::gpu, call -> call));
        late.forEach((gpu, call) -> {
            if (!known.containsKey(gpu)) {
                LOG.log(
                        WARNING,
                        "{0} hangs in {1} for over {2} s; nothing else waits for it",
                        name(gpu),
                        call.function(),
                        CallDeadlines.of(call.function()).toSeconds());
            }
        });
        known.forEach((gpu, call) -> {
            if (!late.containsKey(gpu)) {
                LOG.log(INFO, "{0} is back: {1} has returned", name(gpu), call.function());
            }
        });
        known = new HashMap<>(late);
    }

    private static String name(int gpu) {
        return gpu == CallLedger.DRIVER ? "the driver" : "GPU " + gpu;
    }
}
