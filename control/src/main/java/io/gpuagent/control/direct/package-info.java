// SPDX-License-Identifier: Apache-2.0
/**
 * Carries requests out in this process: {@link io.gpuagent.control.direct.DirectPort}. One change at a time for each
 * daemon and GPU, written down before and after, and read back. Runs as root, or as a user for their own daemons.
 */
@NullMarked
package io.gpuagent.control.direct;

import org.jspecify.annotations.NullMarked;
