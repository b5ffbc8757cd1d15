// SPDX-License-Identifier: Apache-2.0
/**
 * Starts, watches, changes and stops CUDA MPS control daemons: {@link io.gpuagent.mps.supervise.MpsSupervision}.
 *
 * <p>What a daemon is like is a pure fold over what was observed ({@code DaemonPicture}); everything that is shown is
 * derived from it. In a steady state no control command is sent but for one check a minute: the logs, /proc and NVML tell
 * the rest. What the machine does stands behind ports ({@link io.gpuagent.mps.supervise.SupervisionPorts}), so that the
 * same code runs over real daemons and over simulated ones. {@code DetachedLauncher} and {@code SystemdLauncher} alone
 * start programs here; they never use a shell.
 */
@NullMarked
package io.gpuagent.mps.supervise;

import org.jspecify.annotations.NullMarked;
