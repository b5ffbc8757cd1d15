// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import java.util.Locale;

/** What an operation is about. */
public enum OperationKind {
    /** A plan is carried out. */
    APPLY,
    /** MIG mode is turned on. */
    ENABLE,
    /** MIG mode is turned off. */
    DISABLE,
    /** A foreign instance is taken for ours. */
    ADOPT,
    /** What was left half made is made whole, or removed. */
    REPAIR;

    /**
     * The name in the API.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
