// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/**
 * The Prometheus endpoint.
 *
 * @param listen where it listens
 * @param format the names its series have
 */
public record MetricsConfig(ListenAddress listen, MetricsFormat format) {
    /** This machine alone, native names. */
    public static final MetricsConfig DEFAULT =
            new MetricsConfig(new ListenAddress("127.0.0.1", 9836), MetricsFormat.NATIVE);
}
