// SPDX-License-Identifier: Apache-2.0
/**
 * MIG as the agent offers it: plans that are kept until somebody applies them, operations that carry them out GPU by GPU,
 * and the present layout as a file. The planner is in {@code io.gpuagent.mig.plan}; what reads or changes a card goes
 * through {@link io.gpuagent.control.ControlPort}.
 */
@NullMarked
package io.gpuagent.agent.mig;

import org.jspecify.annotations.NullMarked;
