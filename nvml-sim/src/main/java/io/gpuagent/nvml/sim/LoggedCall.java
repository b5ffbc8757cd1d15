// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * A call that has returned.
 *
 * @param function C name
 * @param gpu index of the GPU that it asked, or whose instance; -1 where it asked none
 * @param code its {@code nvmlReturn_t}
 * @param atNanos when it returned, in nanoseconds since the driver was started
 */
public record LoggedCall(String function, int gpu, int code, long atNanos) {}
