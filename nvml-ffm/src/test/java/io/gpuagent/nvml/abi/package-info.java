// SPDX-License-Identifier: Apache-2.0
/** What {@code nvml.h} says, read from the header itself: the yardstick for the binding and the simulator. */
@NullMarked
package io.gpuagent.nvml.abi;

import org.jspecify.annotations.NullMarked;
