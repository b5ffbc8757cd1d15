// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * A PCI Express link.
 *
 * @param generation 1 to 7
 * @param width lanes
 */
public record PcieLink(int generation, int width) {}
