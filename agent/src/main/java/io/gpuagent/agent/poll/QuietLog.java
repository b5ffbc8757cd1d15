// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Says the same thing only once in a while: what fails each second, or comes and goes every few, must not fill a disk.
 */
final class QuietLog {
    private static final Duration AGAIN = Duration.ofMinutes(10);
    /** Lines hold codes and functions, so there are few; this bounds them all the same. */
    private static final int REMEMBERED = 500;

    private final System.Logger log;
    private final Clock clock;
    private final Map<String, Long> saidAt = new HashMap<>();

    QuietLog(System.Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    void say(System.Logger.Level level, String line) {
        if (isNew(line)) {
            log.log(level, "{0}", line);
        }
    }

    void say(System.Logger.Level level, String line, Throwable why) {
        if (isNew(line)) {
            log.log(level, line, why);
        }
    }

    private synchronized boolean isNew(String line) {
        long now = clock.nanos();
        Long last = saidAt.get(line);
        if (last != null && now - last < AGAIN.toNanos()) {
            return false;
        }
        if (saidAt.size() >= REMEMBERED) {
            saidAt.clear();
        }
        saidAt.put(line, now);
        return true;
    }
}
