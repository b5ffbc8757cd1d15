// SPDX-License-Identifier: Apache-2.0
/**
 * MPS as the agent offers it: what a request names, what GPUs tell of themselves, and one way for plans, changes and
 * views. The supervision itself is in {@code io.gpuagent.mps.supervise}, and what changes anything goes through
 * {@link io.gpuagent.control.ControlPort}.
 */
@NullMarked
package io.gpuagent.agent.mps;

import org.jspecify.annotations.NullMarked;
