// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long Prometheus waits for a page, which it tells with each scrape. */
final class ScrapeTimeout {
    private static final String HEADER = "X-Prometheus-Scrape-Timeout-Seconds";
    // What the answer takes on its way back, as exporters of others leave it.
    private static final Duration WAY_BACK = Duration.ofMillis(500);
    private static final double LONGEST_SECONDS = 3600;

    private ScrapeTimeout() {}

    /** The time there is for making the page; empty where the client does not say. */
    static Optional<Duration> of(HttpServerRequest request) {
        return parse(request.getHeader(HEADER));
    }

    static Optional<Duration> parse(@Nullable String header) {
        if (header == null) {
            return Optional.empty();
        }
        double seconds;
        try {
            seconds = Double.parseDouble(header.trim());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
            return Optional.empty();
        }
        Duration whole = Duration.ofMillis(Math.max(2, Math.round(seconds * 1000)));
        Duration left = whole.minus(WAY_BACK);
        Duration half = whole.dividedBy(2);
        return Optional.of(left.compareTo(half) > 0 ? left : half);
    }
}
