// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.GpuIdentity;
import io.gpuagent.nvml.EventType;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An event that NVML told of a GPU ({@code nvmlEventData_t}). NVML gives no time, so it has the one at which it was
 * fetched, and the order among GPUs means nothing.
 *
 * @param at when it was fetched, at most a moment after it happened
 * @param gpu the GPU as it was when it was registered, since a lost one cannot be asked any more; empty where NVML named
 *     none that is registered
 * @param bits NVML's bit of what happened
 * @param type what happened; empty for a bit that nvml.h 13.0 does not know
 * @param xid the number of the Xid error; empty for other events, and where the driver does not know it (999)
 * @param gpuInstanceId the GPU instance it belongs to; empty where it belongs to none, or to all
 * @param computeInstanceId the compute instance it belongs to, likewise
 */
public record GpuEvent(
        Instant at,
        Optional<GpuIdentity> gpu,
        long bits,
        Optional<EventType> type,
        OptionalLong xid,
        OptionalInt gpuInstanceId,
        OptionalInt computeInstanceId) {
    /**
     * Whether it is an Xid error.
     *
     * @return true also where the driver does not know its number
     */
    public boolean isXid() {
        return type.filter(EventType.XID_CRITICAL_ERROR::equals).isPresent();
    }

    /**
     * Whether the GPU has other MIG instances from now on.
     *
     * @return true for a change of the MIG configuration
     */
    public boolean isMigChange() {
        return type.filter(EventType.MIG_CONFIG_CHANGE::equals).isPresent();
    }

    /**
     * Whether something else helps the GPU from now on; a reading says what.
     *
     * @return true for a change of the recovery action
     */
    public boolean isRecoveryAction() {
        return type.filter(EventType.GPU_RECOVERY_ACTION::equals).isPresent();
    }
}
