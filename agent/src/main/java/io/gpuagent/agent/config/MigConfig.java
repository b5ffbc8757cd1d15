// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.time.Duration;

/**
 * MIG layouts.
 *
 * @param idleGrace how long an instance stays reserved after something ran on it; 0 for not at all
 */
public record MigConfig(Duration idleGrace) {
    static final Duration GRACE_MIN = Duration.ofSeconds(0);
    // The longest that uses are remembered.
    static final Duration GRACE_MAX = Duration.ofHours(24);

    /** Ten minutes. */
    public static final MigConfig DEFAULT = new MigConfig(Duration.ofMinutes(10));
}
