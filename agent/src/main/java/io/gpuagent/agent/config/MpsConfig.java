// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.time.Duration;

/**
 * The supervision of CUDA MPS.
 *
 * @param enabled whether daemons are watched, restarted and shown; those that run go on without it
 * @param drainTimeout how long clients may take to end when a daemon is drained
 */
public record MpsConfig(boolean enabled, Duration drainTimeout) {
    static final Duration DRAIN_MIN = Duration.ofSeconds(1);
    // The longest grace that the port takes.
    static final Duration DRAIN_MAX = Duration.ofMinutes(15);

    /** On, with five minutes to drain. */
    public static final MpsConfig DEFAULT = new MpsConfig(true, Duration.ofMinutes(5));
}
