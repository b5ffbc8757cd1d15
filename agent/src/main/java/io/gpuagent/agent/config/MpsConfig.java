// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.mps.supervise.SupervisionSetup;
import java.time.Duration;

/**
 * The supervision of CUDA MPS.
 *
 * @param enabled whether daemons are watched, restarted and shown; those that run go on without it
 * @param drainTimeout how long clients may take to end when a daemon is drained
 * @param logCapBytes bytes that each log of a daemon may have before its end is kept beside it and it is cut
 */
public record MpsConfig(boolean enabled, Duration drainTimeout, long logCapBytes) {
    static final Duration DRAIN_MIN = Duration.ofSeconds(1);
    // The longest grace that the port takes.
    static final Duration DRAIN_MAX = Duration.ofMinutes(15);

    static final long LOG_CAP_MIN = SupervisionSetup.SMALLEST_LOG_CAP_BYTES;
    static final long LOG_CAP_MAX = 1L << 30;

    /** On, with five minutes to drain and the usual logs. */
    public static final MpsConfig DEFAULT =
            new MpsConfig(true, Duration.ofMinutes(5), SupervisionSetup.DEFAULT_LOG_CAP_BYTES);
}
