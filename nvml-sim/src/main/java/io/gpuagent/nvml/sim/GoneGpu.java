// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * What the handle of a GPU stands for after that was taken out of the machine, also when it has come back: then it has
 * another handle.
 *
 * @param gpu the GPU
 */
record GoneGpu(SimulatedGpu gpu) {}
