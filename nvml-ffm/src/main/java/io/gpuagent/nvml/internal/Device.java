// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import java.lang.foreign.MemorySegment;

/**
 * A device handle of one session.
 *
 * @param calls the session's calls
 * @param handle the {@code nvmlDevice_t}
 * @param index NVML's index of the GPU
 */
public record Device(Calls calls, MemorySegment handle, int index) {}
