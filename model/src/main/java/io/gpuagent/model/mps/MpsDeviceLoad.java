// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.util.OptionalDouble;

/**
 * What the clients of one GPU or MIG device may use together. Limits are ceilings and no reservations: more than 1 is
 * allowed and means that they share.
 *
 * @param device its UUID
 * @param multiprocessorRatio the clients' multiprocessors over those of the device; empty where one is not known
 * @param memoryRatio the clients' memory limits over the device's memory; empty where a client has none or one is not
 *     known
 */
public record MpsDeviceLoad(String device, OptionalDouble multiprocessorRatio, OptionalDouble memoryRatio) {}
