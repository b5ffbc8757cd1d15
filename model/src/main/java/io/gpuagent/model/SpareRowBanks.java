// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Memory banks by how many spare rows they have left ({@code nvmlRowRemapperHistogramValues_t}).
 *
 * @param max banks with all of them
 * @param high banks with many
 * @param partial banks with some
 * @param low banks with few
 * @param none banks with none
 */
public record SpareRowBanks(long max, long high, long partial, long low, long none) {}
