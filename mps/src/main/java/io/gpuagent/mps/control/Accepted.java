// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

/** A command was taken without complaint. Whether it did something has to be asked for. */
public enum Accepted {
    /** There is nothing more to say. */
    ACCEPTED
}
