// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** What a function of NVML does to the machine. */
public enum Effect {
    /** Nothing: it asks. */
    READS,
    /** It changes a mode, a limit, a counter or an instance; a read-only session does not call it. */
    CHANGES
}
