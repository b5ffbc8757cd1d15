// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the parts together: {@link io.gpuagent.agent.daemon.Daemon} for {@code serve}, from the locks on its folders to a
 * clean stop, and {@link io.gpuagent.agent.daemon.OnePoll} for commands that read once without a daemon.
 */
@NullMarked
package io.gpuagent.agent.daemon;

import org.jspecify.annotations.NullMarked;
