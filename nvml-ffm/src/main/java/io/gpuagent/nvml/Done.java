// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** The value that a change gives: it was made. */
public enum Done {
    /** NVML returned NVML_SUCCESS. */
    DONE
}
