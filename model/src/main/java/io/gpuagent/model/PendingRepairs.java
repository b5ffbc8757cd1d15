// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * Repairs that wait for a reset ({@code nvmlRepairStatus_t}).
 *
 * @param channel of a memory channel
 * @param tpc of a texture processing cluster
 */
public record PendingRepairs(boolean channel, boolean tpc) {
    /**
     * Whether any waits.
     *
     * @return true where a reset is due
     */
    public boolean any() {
        return channel || tpc;
    }
}
