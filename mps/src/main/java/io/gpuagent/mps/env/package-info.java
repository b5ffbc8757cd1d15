// SPDX-License-Identifier: Apache-2.0
/**
 * What a program needs in its environment to become a client of a daemon, as a shell, a systemd unit or a container takes
 * it. Pure text: nothing is read and nothing is started.
 */
@NullMarked
package io.gpuagent.mps.env;

import org.jspecify.annotations.NullMarked;
