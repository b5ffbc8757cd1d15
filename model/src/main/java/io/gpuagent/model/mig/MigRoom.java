// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

/**
 * How many GPU instances of a profile still fit beside those there are, if no other is made.
 *
 * @param profile such as {@code 1g.18gb}
 * @param profileId NVML's id of the profile on this card
 * @param count how many, 0 or more
 */
public record MigRoom(String profile, int profileId, int count) {}
