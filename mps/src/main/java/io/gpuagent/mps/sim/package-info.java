// SPDX-License-Identifier: Apache-2.0
/**
 * A control daemon that is not there: {@link io.gpuagent.mps.sim.SimulatedDaemon} is a state machine with the texts and
 * rules that were captured on an H200, driver 580.159.04, control binary 13000. What was never seen on hardware says so
 * where it stands. Time is the injected clock's; nothing here starts a thread or a process.
 */
@NullMarked
package io.gpuagent.mps.sim;

import org.jspecify.annotations.NullMarked;
