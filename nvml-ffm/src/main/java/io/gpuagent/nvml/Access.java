// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** What a session may do. */
public enum Access {
    /** Read: a function that changes anything answers NO_PERMISSION and does not reach the library. */
    READ_ONLY,
    /** Read and change, as far as the driver lets this user. */
    CONTROL
}
