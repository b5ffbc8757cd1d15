// SPDX-License-Identifier: Apache-2.0
/**
 * What happens around our control daemons: daemons of others, clients' own environments, processes that compute past a
 * daemon, and how far devices are shared out. Everything is read, nothing is ever touched; no program is started and no
 * control command sent. Reading /proc stands apart ({@link io.gpuagent.mps.watch.MpsProcessScan}, {@link
 * io.gpuagent.mps.watch.EnvironmentSource}) from what follows of it.
 */
@NullMarked
package io.gpuagent.mps.watch;

import org.jspecify.annotations.NullMarked;
