// SPDX-License-Identifier: Apache-2.0
/** The one clock of the agent; tests drive it by hand. */
@NullMarked
package io.gpuagent.model.time;

import org.jspecify.annotations.NullMarked;
