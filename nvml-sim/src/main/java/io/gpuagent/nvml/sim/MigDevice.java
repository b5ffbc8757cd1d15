// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * A MIG device: the handle and the index of a compute instance in a session.
 *
 * @param compute whose device it is
 * @param handle its {@code nvmlDevice_t}
 * @param index among the MIG devices of its GPU
 */
record MigDevice(MigComputeInstance compute, long handle, int index) {
    SimulatedGpu gpu() {
        return compute.gpu();
    }
}
