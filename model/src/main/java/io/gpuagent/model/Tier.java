// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * How often something is read, by what the call costs on a real card (an H200 under driver 580): microseconds, every
 * second; milliseconds or a round trip to the GPU's system processor, every 15 s; what never changes, once per topology.
 */
public enum Tier {
    /** Every second, unless configured otherwise. */
    FAST,
    /** Every 15 seconds, unless configured otherwise. */
    SLOW,
    /** Once, and again when the topology changes. */
    STATIC
}
