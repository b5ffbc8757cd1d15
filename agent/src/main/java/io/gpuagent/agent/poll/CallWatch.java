// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells the log when a call has outlived its deadline, and when it has returned after all: a line each. It has a thread
 * of its own, because any other one may be in the call that hangs.
 */
final class CallWatch {
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(CallWatch.class.getName());

    private final CallLedger ledger;
    private final Clock clock;
    private final Thread thread;
    private Map<Integer, CallLedger.Running> known = Map.of();

    CallWatch(CallLedger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name("call-watch").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                clock.sleepUntil(clock.nanos() + TICK.toNanos());
                report();
            }
        } catch (InterruptedException e) {
            // stop() was called.
        }
    }

    private void report() {
        Map<Integer, CallLedger.Running> late = ledger.running().stream()
                .filter(CallLedger.Running::late)
                .collect(Collectors.toMap(CallLedger.Running::gpu, call -> call, (one, other) -> one));
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
