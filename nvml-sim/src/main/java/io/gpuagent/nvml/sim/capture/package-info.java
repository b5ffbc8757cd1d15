// SPDX-License-Identifier: Apache-2.0
/**
 * Takes a capture: asks an NVML everything on a list of functions that only read, below the typed binding, and writes
 * values, return codes and latencies as one JSON document that the simulator replays. What is asked is data, and where
 * answers lie in memory comes from the facts of {@code nvml.h}: a function joins by a line in the list.
 */
@NullMarked
package io.gpuagent.nvml.sim.capture;

import org.jspecify.annotations.NullMarked;
