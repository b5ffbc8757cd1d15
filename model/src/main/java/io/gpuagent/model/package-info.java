// SPDX-License-Identifier: Apache-2.0
/**
 * What the agent knows about a node, as immutable records: a {@link io.gpuagent.model.NodeSnapshot} holds one
 * {@link io.gpuagent.model.GpuSnapshot} per GPU, and each of those a {@link io.gpuagent.model.Reading} per
 * {@link io.gpuagent.model.ReadingKey}. This module is below all others: it uses the JDK alone, does no I/O and starts
 * no thread.
 */
@NullMarked
package io.gpuagent.model;

import org.jspecify.annotations.NullMarked;
