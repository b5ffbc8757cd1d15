// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Optional;

/**
 * A process that the kernel named beside an error.
 *
 * @param pid its process id
 * @param name what it calls itself; any text, chosen by whoever started it, and never a label of a metric
 */
public record AffectedProcess(long pid, Optional<String> name) {}
