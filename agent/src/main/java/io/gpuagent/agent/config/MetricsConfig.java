// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.exporters.FamilyFilter;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The Prometheus endpoint.
 *
 * @param listen where it listens
 * @param format the names its series have
 * @param families which families are on the native page
 * @param dcgm the page with DCGM's names
 * @param webConfig the file with TLS and passwords, in the form of Prometheus's exporters; empty for plain HTTP to all
 */
public record MetricsConfig(
        ListenAddress listen, MetricsFormat format, FamilyFilter families, DcgmConfig dcgm, Optional<Path> webConfig) {
    /** This machine alone, native names. */
    public static final MetricsConfig DEFAULT = new MetricsConfig(
            new ListenAddress("127.0.0.1", 9836),
            MetricsFormat.NATIVE,
            FamilyFilter.ALL,
            DcgmConfig.DEFAULT,
            Optional.empty());

    /**
     * The same at another address.
     *
     * @param other the address
     * @return the changed configuration
     */
    public MetricsConfig withListen(ListenAddress other) {
        return new MetricsConfig(other, format, families, dcgm, webConfig);
    }

    /**
     * The same under other names.
     *
     * @param other the names
     * @return the changed configuration
     */
    public MetricsConfig withFormat(MetricsFormat other) {
        return new MetricsConfig(listen, other, families, dcgm, webConfig);
    }

    /**
     * The same with TLS or passwords.
     *
     * @param file the file that says which
     * @return the changed configuration
     */
    public MetricsConfig withWebConfig(Path file) {
        return new MetricsConfig(listen, format, families, dcgm, Optional.of(file));
    }
}
