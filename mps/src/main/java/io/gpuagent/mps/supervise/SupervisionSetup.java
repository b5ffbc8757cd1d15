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
 * @param logCapBytes bytes that each log of a daemon may have before its end is kept beside it and it is cut to nothing;
 *     64 KiB or more
 */
public record SupervisionSetup(
        SupervisionFolders folders,
        SupervisionPorts ports,
        HostView host,
        Clock clock,
        ZoneId zone,
        boolean restarts,
        long logCapBytes) {
    /** The cap where nothing else is asked for: about 40,000 lines. */
    public static final long DEFAULT_LOG_CAP_BYTES = 4L << 20;

    /** A fault and the lines around it must fit. */
    public static final long SMALLEST_LOG_CAP_BYTES = 64L << 10;

    /**
     * Checks the cap.
     *
     * @throws IllegalArgumentException when it is too small
     */
    public SupervisionSetup {
        if (logCapBytes < SMALLEST_LOG_CAP_BYTES) {
            throw new IllegalArgumentException("a cap of " + logCapBytes
                    + " bytes for the log of an MPS daemon is too small: it must be " + SMALLEST_LOG_CAP_BYTES
                    + " (64 KiB) or more");
        }
    }
}
