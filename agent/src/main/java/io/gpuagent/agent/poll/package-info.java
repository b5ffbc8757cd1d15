// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the GPUs: a {@link io.gpuagent.agent.poll.DriverLoop} on the thread {@code driver} opens NVML and keeps it open,
 * a {@link io.gpuagent.agent.poll.GpuWorker} per GPU makes all calls to that GPU on a thread of its own, and
 * {@link io.gpuagent.agent.poll.Snapshots} puts what they published together. Whoever changes a GPU has
 * {@link io.gpuagent.agent.poll.GpuReleases} make them let go of it first. Nothing outside this package calls NVML,
 * and nothing here waits for another GPU.
 */
@NullMarked
package io.gpuagent.agent.poll;

import org.jspecify.annotations.NullMarked;
