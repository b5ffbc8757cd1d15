// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The driver library.
 *
 * @param library its file; empty to look in the usual places
 */
public record NvmlConfig(Optional<Path> library) {
    /** The usual places. */
    public static final NvmlConfig DEFAULT = new NvmlConfig(Optional.empty());
}
