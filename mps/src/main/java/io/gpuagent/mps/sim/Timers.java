// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What is to happen later; it does when somebody looks. */
final class Timers {
    private final Clock clock;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));

    private record Timer(long at, Runnable action) {}

    Timers(Clock clock) {
        this.clock = clock;
    }

    void after(Duration delay, Runnable action) {
        timers.add(new Timer(clock.nanos() + delay.toNanos(), action));
    }

    void runDue() {
        for (Timer next = timers.peek(); next != null && next.at - clock.nanos() <= 0; next = timers.peek()) {
            timers.remove(next);
            next.action.run();
        }
    }

    void clear() {
        timers.clear();
    }
}
