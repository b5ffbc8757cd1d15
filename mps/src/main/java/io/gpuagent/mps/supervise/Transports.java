// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.control.ControlTransport;

/** The way to each daemon. */
@FunctionalInterface
public interface Transports {
    /**
     * The way to one.
     *
     * @param folders where it lives
     * @return the way
     */
    ControlTransport to(DaemonFolders folders);
}
