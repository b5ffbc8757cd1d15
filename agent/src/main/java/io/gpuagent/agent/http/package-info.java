// SPDX-License-Identifier: Apache-2.0
/**
 * The two servers: {@link io.gpuagent.agent.http.MetricsServer} for Prometheus over TCP, and
 * {@link io.gpuagent.agent.http.ApiServer} for the command line over a Unix socket. Both serve what
 * {@link io.gpuagent.agent.poll.Snapshots} holds; a request never reaches the driver. The only package that knows
 * Vert.x.
 */
@NullMarked
package io.gpuagent.agent.http;

import org.jspecify.annotations.NullMarked;
