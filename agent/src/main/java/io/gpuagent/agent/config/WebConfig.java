// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may read the Prometheus endpoint and how, in the form that Prometheus's own exporters use: exporter-toolkit's
 * web-configuration.md.
 *
 * @param tls TLS; empty for plain HTTP
 * @param headers headers of every response
 * @param users bcrypt hashes by user; empty where no password is asked for
 * @param rateLimit how many requests are answered; empty for all
 * @param files the files that all this was read from
 */
public record WebConfig(
        Optional<TlsConfig> tls,
        Map<String, String> headers,
        Map<String, String> users,
        Optional<RateLimit> rateLimit,
        Set<Path> files) {
    /** Plain HTTP to all. */
    public static final WebConfig OPEN =
            new WebConfig(Optional.empty(), Map.of(), Map.of(), Optional.empty(), Set.of());

    /** Takes copies. */
    public WebConfig {
        headers = Map.copyOf(headers);
        users = Map.copyOf(users);
        files = Set.copyOf(files);
    }

    /**
     * A token bucket.
     *
     * @param interval how long a request takes to come back into it
     * @param burst how many it holds
     */
    public record RateLimit(Duration interval, int burst) {}

    /** Keeps the hashes out of logs. */
    @Override
    public String toString() {
        return "WebConfig[tls=" + tls.isPresent() + ", users=" + users.size() + "]";
    }
}
