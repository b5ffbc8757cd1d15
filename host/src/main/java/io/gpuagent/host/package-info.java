// SPDX-License-Identifier: Apache-2.0
/**
 * What the agent asks of Linux: which folders it may use, who owns them, which process is which and which machine this
 * is. Everything here reads files below a {@link io.gpuagent.host.HostView}, so tests put their own tree in its place.
 */
@NullMarked
package io.gpuagent.host;

import org.jspecify.annotations.NullMarked;
