// SPDX-License-Identifier: Apache-2.0
/**
 * What a control daemon and its servers write into their logs: {@link io.gpuagent.mps.log.LogEvents} makes events of
 * lines and does no I/O, {@link io.gpuagent.mps.log.LogTail} reads lines of a growing file, and
 * {@link io.gpuagent.mps.log.DaemonLog} joins them for one daemon. The texts are NVIDIA's documentation's and those of
 * public logs; the logs of the captured sessions on an H200 were not kept.
 */
@NullMarked
package io.gpuagent.mps.log;

import org.jspecify.annotations.NullMarked;
