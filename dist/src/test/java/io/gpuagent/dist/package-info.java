// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of what is installed, on a whole machine: a Debian that systemd boots in a container. They need root, debootstrap
 * and systemd-nspawn, and run with {@code -Pfull}.
 */
@NullMarked
package io.gpuagent.dist;

import org.jspecify.annotations.NullMarked;
