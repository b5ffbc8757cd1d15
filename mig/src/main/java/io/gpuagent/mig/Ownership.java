// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

/** Whose an instance is. */
public enum Ownership {
    /** Made by this agent, or adopted. */
    OWN,
    /** Made by somebody else; left alone until it is adopted. */
    FOREIGN
}
