// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Locale;

/** How a process uses a GPU. */
public enum ProcessType {
    /** Has a compute (CUDA) context of its own. */
    COMPUTE,
    /** Has a graphics context. */
    GRAPHICS,
    /** Is a client of an MPS server. */
    MPS;

    /**
     * The name as a label value.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
