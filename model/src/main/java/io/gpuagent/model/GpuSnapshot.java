// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * One GPU in a snapshot.
 *
 * @param identity which GPU
 * @param condition whether it answers
 * @param readings what it answered
 */
public record GpuSnapshot(GpuIdentity identity, GpuCondition condition, Readings readings) {}
