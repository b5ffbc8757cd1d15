// SPDX-License-Identifier: Apache-2.0
/**
 * Brings what is seen to the health fold: the kernel's log, NVML's events, the polled snapshot, and what the node itself
 * tells. Reads the snapshot and never calls NVML; knows no web.
 */
@NullMarked
package io.gpuagent.agent.health;

import org.jspecify.annotations.NullMarked;
