// SPDX-License-Identifier: Apache-2.0
/**
 * Plans for MIG: from what a GPU is cut into, who uses it and what is wanted to ordered steps, or to the reason why it
 * cannot be. Pure functions of immutable records; see docs/adr/0007-mig-planner.md. What carries plans out stands on top.
 */
@NullMarked
package io.gpuagent.mig.plan;

import org.jspecify.annotations.NullMarked;
