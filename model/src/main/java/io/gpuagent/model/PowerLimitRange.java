// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Between what a GPU's power limit can be set.
 *
 * @param minWatts lowest limit
 * @param maxWatts highest limit
 */
public record PowerLimitRange(double minWatts, double maxWatts) {}
