// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.OptionalLong;

/**
 * A GPU's memory, in bytes.
 *
 * @param totalBytes installed
 * @param freeBytes available to programs
 * @param usedBytes taken by programs; without {@code reservedBytes} it holds what the driver reserved, too
 * @param reservedBytes taken by driver and firmware; empty where only version 1 of the call exists
 */
public record MemoryUse(long totalBytes, long freeBytes, long usedBytes, OptionalLong reservedBytes) {}
