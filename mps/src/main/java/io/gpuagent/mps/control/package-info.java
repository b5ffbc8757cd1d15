// SPDX-License-Identifier: Apache-2.0
/**
 * The client of one CUDA MPS control daemon, protocol v2: {@link io.gpuagent.mps.control.ControlClient} asks and sets,
 * {@link io.gpuagent.mps.control.ControlTransport} carries one command to the daemon and its text back. Texts and rules
 * were captured on an H200, driver 580.159.04, control binary 13000, where nothing else is said.
 *
 * <p>The exit status of {@code nvidia-cuda-mps-control} says nothing: it is 0 for unknown commands, for values that were
 * refused and for missing privileges. So each answer is read as text, and each setting is read back.
 *
 * <p>{@link io.gpuagent.mps.control.ProcessTransport} alone starts programs; it never uses a shell.
 */
@NullMarked
package io.gpuagent.mps.control;

import org.jspecify.annotations.NullMarked;
