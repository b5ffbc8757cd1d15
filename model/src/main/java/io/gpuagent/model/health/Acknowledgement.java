// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;

/**
 * A person has seen an incident and answers for it.
 *
 * @param who the user's name
 * @param at when
 * @param why the reason given; kept with the incident
 */
public record Acknowledgement(String who, Instant at, String why) {}
