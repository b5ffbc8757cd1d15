// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.util.Locale;

/** The state of an MPS control daemon. INITIALIZING, ACTIVE and FAULT are NVIDIA's words for its server. */
public enum MpsState {
    /** It is not running, and is not meant to. */
    ABSENT,
    /** It was started and has not proven yet that it answers. */
    STARTING,
    /** It runs and has no server: none is needed before the first client. */
    IDLE,
    /** A server starts. */
    INITIALIZING,
    /** Clients can connect. */
    ACTIVE,
    /** A fatal GPU fault: nobody new is let in until all those affected have gone. */
    FAULT,
    /** After a fault, with the affected clients gone: the server comes back. */
    RECOVERING,
    /** Its server or it dies again and again. */
    CRASHLOOP,
    /** It runs and does not answer. */
    WEDGED,
    /** It lets its clients finish and is stopped then. */
    DRAINING,
    /** Something runs or lies there that cannot be proven to be ours: it is left alone. */
    DIRTY,
    /** Its server lives without it. */
    ORPHAN;

    /**
     * The name as a label value and in JSON.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
