// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The control API.
 *
 * @param socket where it listens; empty for the usual place of the user who runs the agent
 */
public record ApiConfig(Optional<Path> socket) {
    /** The usual place. */
    public static final ApiConfig DEFAULT = new ApiConfig(Optional.empty());
}
