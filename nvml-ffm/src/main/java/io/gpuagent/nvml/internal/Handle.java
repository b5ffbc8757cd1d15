// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import java.lang.foreign.MemorySegment;

/**
 * Something that NVML handed out in one session: a device, a GPU or compute instance, an event set, a sample.
 *
 * @param calls the session's calls
 * @param address the {@code nvmlDevice_t}, {@code nvmlGpuInstance_t} and so on
 * @param gpu NVML's index of the GPU it belongs to, or -1 where it belongs to none; for the observer
 */
public record Handle(Calls calls, MemorySegment address, int gpu) {}
