// SPDX-License-Identifier: Apache-2.0
/**
 * Requests and answers as lines of JSON over a connection, and the way to the root helper:
 * {@link io.gpuagent.control.wire.HelperPort}. A conversation is one {@code request}, then any number of
 * {@code progress} and {@code quiesce} (answered by {@code quiesced}), then {@code done} or {@code refused}. Every line
 * has a bound and every wait a deadline.
 */
@NullMarked
package io.gpuagent.control.wire;

import org.jspecify.annotations.NullMarked;
