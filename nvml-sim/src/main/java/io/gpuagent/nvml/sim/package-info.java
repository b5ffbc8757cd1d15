// SPDX-License-Identifier: Apache-2.0
/**
 * A simulated NVML: the symbol table of a driver that is not there. {@link io.gpuagent.nvml.sim.SimulatedDriver} hands
 * out real C function pointers, made by FFM upcalls from a Java state machine, so that the binding's own code runs over
 * it unchanged. What a GPU answers comes from JSON descriptions of real cards; where in memory it is written comes from
 * the figures that a C compiler gave for {@code nvml.h}.
 */
@NullMarked
package io.gpuagent.nvml.sim;

import org.jspecify.annotations.NullMarked;
