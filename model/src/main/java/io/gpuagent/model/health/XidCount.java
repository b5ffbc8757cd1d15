// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;

/**
 * How often a GPU reported an Xid since the machine was started.
 *
 * @param xid the code as the driver gives it; 999 is NVML's word for one it does not know
 * @param count lines of this boot, each counted once whoever reported it and however often the agent was restarted
 * @param isAtLeast whether there were more
 * @param last when the last one was seen
 */
public record XidCount(int xid, long count, boolean isAtLeast, Instant last) {}
