// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.nio.file.Path;

/**
 * Where supervised daemons live.
 *
 * @param runtime what ends with the boot, {@code /run/gpu-agent}: pipe directories below {@code mps/ID/pipe}
 * @param state what outlives it, {@code /var/lib/gpu-agent}: records and environment files below {@code mps/ID}
 * @param log {@code /var/log/gpu-agent}, or {@code STATE/log} of a user's own: logs below {@code mps/ID}
 */
public record SupervisionFolders(Path runtime, Path state, Path log) {}
