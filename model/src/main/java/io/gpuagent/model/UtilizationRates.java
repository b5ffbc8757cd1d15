// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Busy time of a GPU over the driver's last sample period.
 *
 * @param gpu share of time in which a kernel ran, 0..1
 * @param memory share of time in which memory was read or written, 0..1; neither bandwidth nor fullness
 */
public record UtilizationRates(double gpu, double memory) {}
