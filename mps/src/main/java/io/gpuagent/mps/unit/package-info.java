// SPDX-License-Identifier: Apache-2.0
/**
 * What the unit {@code gpu-agent-mps@ID.service} runs when it is stopped. It knows nothing but the daemon of its own
 * environment, and needs no agent alive.
 */
@NullMarked
package io.gpuagent.mps.unit;

import org.jspecify.annotations.NullMarked;
