// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.OptionalInt;

/**
 * A compute instance as a layout file or a command names it.
 *
 * @param profile such as {@code 1c.2g.35gb}, {@code 1c}, or the GPU instance's own name for all of it
 * @param start its first compute slice; empty where it does not matter
 */
public record ComputeRequest(String profile, OptionalInt start) {}
