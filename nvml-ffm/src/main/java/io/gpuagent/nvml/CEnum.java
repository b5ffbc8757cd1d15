// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** An enum of nvml.h: each of its constants has a number there. */
interface CEnum {
    /**
     * Its number in nvml.h.
     *
     * @return the number
     */
    int code();
}
