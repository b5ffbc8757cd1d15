// SPDX-License-Identifier: Apache-2.0
/**
 * A stand-in for {@code nvidia-cuda-mps-control} that can be executed: {@link io.gpuagent.mps.fake.FakeMps} writes the
 * programs into a folder. The daemon is a process of its own around the simulated daemon, with real sockets, a lock, a
 * FIFO, a pid file, logs and a process for each server; commands and CUDA programs are processes, too.
 */
@NullMarked
package io.gpuagent.mps.fake;

import org.jspecify.annotations.NullMarked;
