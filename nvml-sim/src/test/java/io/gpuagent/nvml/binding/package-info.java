// SPDX-License-Identifier: Apache-2.0
/** The binding over the simulated driver: real downcalls into functions whose answers are known. */
@NullMarked
package io.gpuagent.nvml.binding;

import org.jspecify.annotations.NullMarked;
