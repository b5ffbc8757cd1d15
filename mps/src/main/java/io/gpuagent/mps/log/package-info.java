// SPDX-License-Identifier: Apache-2.0
/**
 * What a control daemon and its servers write into their logs: {@link io.gpuagent.mps.log.LogEvents} makes events of
 * lines and does no I/O, {@link io.gpuagent.mps.log.LogTail} reads lines of a growing file, and
 * {@link io.gpuagent.mps.log.DaemonLog} joins them for one daemon. The texts were captured on an H200, driver 580.159.04,
 * control binary 13000; those of faults and failed starts are NVIDIA's documentation's and public logs'.
 *
 * <p>A daemon in the foreground ({@code -f}) writes no file: it prints its own log and that of its servers, line by line
 * (captured). Whoever starts it appends its output to {@code control.log}, where all lines are found then.
 */
@NullMarked
package io.gpuagent.mps.log;

import org.jspecify.annotations.NullMarked;
