// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.nvml.MigDevice;

/**
 * A MIG device whose handle is kept until the layout changes.
 *
 * @param gpuInstance the id of its GPU instance
 * @param computeInstance the id of its compute instance
 * @param handle the device
 */
record HeldDevice(int gpuInstance, int computeInstance, MigDevice handle) {
    boolean isOf(int instance, int compute) {
        return gpuInstance == instance && computeInstance == compute;
    }
}
