// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Errors in the GPU's SRAM since the driver was loaded ({@code nvmlEccSramErrorStatus_t}).
 *
 * @param corrected errors corrected
 * @param parity uncorrected errors found by parity
 * @param secDed uncorrected errors found by SEC-DED
 * @param thresholdExceeded whether there were so many that the GPU is to be replaced
 */
public record SramErrors(long corrected, long parity, long secDed, boolean thresholdExceeded) {}
