// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.ProcessOwnerView;

/** Whom processes belong to. */
@FunctionalInterface
public interface ProcessOwners {
    /** Nobody knows. */
    ProcessOwners UNKNOWN = _ -> ProcessOwnerView.UNKNOWN;

    /**
     * The owner of a process.
     *
     * @param pid its pid
     * @return unit and container, as far as they are known
     */
    ProcessOwnerView of(long pid);
}
