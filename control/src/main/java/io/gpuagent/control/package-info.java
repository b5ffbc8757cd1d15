// SPDX-License-Identifier: Apache-2.0
/**
 * The one port through which anything on the machine is changed or read with more rights than the agent has: a closed
 * list of {@linkplain io.gpuagent.control.Request verbs}, and what comes of them. Nothing here does anything:
 * {@code direct} carries requests out, {@code wire} carries them to the root helper, and {@code helper} is its program.
 * Arguments are checked where a request is made, so no request with a bad one exists on either side.
 */
@NullMarked
package io.gpuagent.control;

import org.jspecify.annotations.NullMarked;
