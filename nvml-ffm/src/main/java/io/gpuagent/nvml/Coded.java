// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;

/**
 * A number of a C enum, and what it is known to mean. The set is open: a newer driver may answer more than nvml.h 13.0
 * lists.
 *
 * @param code the number
 * @param known its meaning; empty for a number that nvml.h 13.0 does not list
 * @param <E> the meanings
 */
public record Coded<E extends Enum<E>>(int code, Optional<E> known) {}
