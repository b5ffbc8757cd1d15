// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Everything that can be set; every part has a default, so an empty file is a good one.
 *
 * @param metrics the Prometheus endpoint
 * @param api the control API
 * @param nvml the driver library
 * @param poll how often is read
 * @param mps the supervision of MPS
 * @param mig MIG layouts
 * @param log the log
 */
public record AgentConfig(
        MetricsConfig metrics,
        ApiConfig api,
        NvmlConfig nvml,
        PollConfig poll,
        MpsConfig mps,
        MigConfig mig,
        LogConfig log) {
    /** What holds where nothing is set. */
    public static final AgentConfig DEFAULT = new AgentConfig(
            MetricsConfig.DEFAULT,
            ApiConfig.DEFAULT,
            NvmlConfig.DEFAULT,
            PollConfig.DEFAULT,
            MpsConfig.DEFAULT,
            MigConfig.DEFAULT,
            LogConfig.DEFAULT);

    /**
     * This configuration with another address for the Prometheus endpoint, as an option of the command line sets it.
     *
     * @param listen the address
     * @return the changed configuration
     */
    public AgentConfig withListen(ListenAddress listen) {
        return new AgentConfig(metrics.withListen(listen), api, nvml, poll, mps, mig, log);
    }

    /**
     * This configuration with a file that says who may read the Prometheus endpoint, as an option of the command line
     * sets it.
     *
     * @param file the file
     * @return the changed configuration
     */
    public AgentConfig withWebConfig(Path file) {
        return new AgentConfig(metrics.withWebConfig(file), api, nvml, poll, mps, mig, log);
    }

    /**
     * This configuration with another socket for the control API, as an option of the command line sets it.
     *
     * @param socket the socket's path
     * @return the changed configuration
     */
    public AgentConfig withSocket(Path socket) {
        return new AgentConfig(metrics, new ApiConfig(Optional.of(socket)), nvml, poll, mps, mig, log);
    }
}
