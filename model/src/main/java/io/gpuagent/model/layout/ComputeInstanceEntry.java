// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A compute instance that is to be.
 *
 * @param at where it stands in the file
 * @param profile as the user wrote it: {@code 1c.2g.35gb}, {@code 1c}
 * @param start the first compute slice; empty where it does not matter
 * @param mps the MPS daemon on it
 */
public record ComputeInstanceEntry(Position at, String profile, OptionalInt start, Optional<MpsEntry> mps) {}
