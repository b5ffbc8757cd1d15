// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import java.time.ZoneId;

/**
 * How daemons are supervised.
 *
 * @param folders where they live
 * @param ports what the machine offers
 * @param host the machine and the user
 * @param clock the time
 * @param zone the zone of the times in their logs, which is that of the machine
 * @param restarts whether {@link MpsSupervision#watch} starts daemons again that died, and puts limits and compute modes
 *     right; false for a process that only looks
 */
public record SupervisionSetup(
        SupervisionFolders folders,
        SupervisionPorts ports,
        HostView host,
        Clock clock,
        ZoneId zone,
        boolean restarts) {}
