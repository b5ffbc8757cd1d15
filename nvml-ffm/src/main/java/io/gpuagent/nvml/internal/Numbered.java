// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

/**
 * Something that NVML names by a number instead of a pointer: a vGPU type, a vGPU instance.
 *
 * @param calls the session's calls
 * @param number the {@code nvmlVgpuTypeId_t} or {@code nvmlVgpuInstance_t}
 * @param gpu NVML's index of the GPU it belongs to; for the observer
 */
public record Numbered(Calls calls, int number, int gpu) {}
