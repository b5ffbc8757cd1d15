// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Memory rows that were replaced by spare ones.
 *
 * @param correctable rows remapped for correctable errors
 * @param uncorrectable rows remapped for uncorrectable errors
 * @param pending whether a remap waits for a reset
 * @param failed whether a remap has failed
 */
public record RowRemap(long correctable, long uncorrectable, boolean pending, boolean failed) {}
