// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** When a daemon that died is started again: after 1, 2, 4 ... 60 s; not any more after the fifth time in 10 minutes. */
final class RestartPolicy {
    static final Duration WINDOW = Duration.ofMinutes(10);
    static final int MOST = 5;
    private static final long LONGEST_SECONDS = 60;

    private RestartPolicy() {}

    /**
     * How long to wait after the newest death.
     *
     * @param deaths when it died, oldest first
     * @return the time; empty to give up
     */
    static Optional<Duration> delay(List<Instant> deaths, Instant now) {
        long recent = recent(deaths, now);
        if (recent >= MOST) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(Math.min(LONGEST_SECONDS, 1L << Math.max(0, recent - 1))));
    }

    static long recent(List<Instant> deaths, Instant now) {
        return deaths.stream().filter(death -> death.plus(WINDOW).isAfter(now)).count();
    }
}
