// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ConfidentialComputeLayouts.nvmlDramEncryptionInfo_v1_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlNvLinkPowerThres_t;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;

/**
 * What can be set on a GPU, MIG apart. Each setter answers NO_PERMISSION without a call in a session that was opened to
 * read, and NO_PERMISSION from the driver where the user is not root. Settings end with the driver's module unless it is
 * said otherwise.
 */
public final class Control {
    private final Handle device;
    private final ClockControl clocks;
    private final PowerControl power;
    private final CoolingControl cooling;

    Control(Handle device) {
        this.device = device;
        clocks = new ClockControl(device);
        power = new PowerControl(device);
        cooling = new CoolingControl(device);
    }

    /**
     * Clocks.
     *
     * @return the topic
     */
    public ClockControl clocks() {
        return clocks;
    }

    /**
     * The power limit and power profiles.
     *
     * @return the topic
     */
    public PowerControl power() {
        return power;
    }

    /**
     * Fans and temperature limits.
     *
     * @return the topic
     */
    public CoolingControl cooling() {
        return cooling;
    }

    /**
     * Sets who may open contexts (nvmlDeviceSetComputeMode), at once.
     *
     * @param mode the mode
     * @return done; NOT_SUPPORTED in MIG mode for any but the default, INVALID_ARGUMENT for EXCLUSIVE_THREAD
     */
    public Answer<Done> computeMode(ComputeMode mode) {
        return set(NvmlFunction.nvmlDeviceSetComputeMode, mode.code());
    }

    /**
     * Sets whether the driver keeps the GPU initialised without clients (nvmlDeviceSetPersistenceMode), at once. On GPUs
     * whose memory is a NUMA node of the host, switching it off makes this handle stale.
     *
     * @param enabled on
     * @return done
     */
    public Answer<Done> persistence(boolean enabled) {
        return set(NvmlFunction.nvmlDeviceSetPersistenceMode, flag(enabled));
    }

    /**
     * Sets whether figures of each process are kept (nvmlDeviceSetAccountingMode). Switching it off forgets them; switching
     * MIG on switches it off.
     *
     * @param enabled on
     * @return done; NOT_SUPPORTED in MIG mode
     */
    public Answer<Done> accounting(boolean enabled) {
        return set(NvmlFunction.nvmlDeviceSetAccountingMode, flag(enabled));
    }

    /**
     * Forgets the figures of processes that have ended (nvmlDeviceClearAccountingPids).
     *
     * @return done
     */
    public Answer<Done> clearAccounting() {
        return act(NvmlFunction.nvmlDeviceClearAccountingPids);
    }

    /**
     * Sets whether ECC will be on after the next reset or reboot (nvmlDeviceSetEccMode); kept in the InfoROM.
     *
     * @param enabled on
     * @return done
     */
    public Answer<Done> ecc(boolean enabled) {
        return set(NvmlFunction.nvmlDeviceSetEccMode, flag(enabled));
    }

    /**
     * Sets error counters to zero (nvmlDeviceClearEccErrorCounts), those of single locations too.
     *
     * @param counter those since the driver was loaded, or those of the board's life
     * @return done; NOT_SUPPORTED where ECC is off
     */
    public Answer<Done> clearEccErrors(Ecc.Counter counter) {
        return set(NvmlFunction.nvmlDeviceClearEccErrorCounts, counter == Ecc.Counter.VOLATILE ? 0 : 1);
    }

    /**
     * Sets whether memory will be encrypted after the next reboot (nvmlDeviceSetDramEncryptionMode); kept in the InfoROM.
     *
     * @param enabled on
     * @return done
     */
    public Answer<Done> memoryEncryption(boolean enabled) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceSetDramEncryptionMode,
                nvmlDramEncryptionInfo_v1_t,
                1,
                info -> info.set("encryptionState", flag(enabled)),
                info -> Done.DONE);
    }

    /**
     * Sets how much memory confidential computing leaves unprotected (nvmlDeviceSetConfComputeUnprotectedMemSize).
     *
     * @param kib KiB
     * @return done
     */
    public Answer<Done> unprotectedMemory(long kib) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetConfComputeUnprotectedMemSize;
        return Queries.done(function, device.calls().call(function, device, kib));
    }

    /**
     * Sets how long an NVLink must be idle before it saves power (nvmlDeviceSetNvLinkDeviceLowPowerThreshold).
     *
     * @param threshold in the unit and range that the fields NVML_FI_DEV_NVLINK_GET_POWER_THRESHOLD_* tell; 0xFFFFFFFF
     *     for the default
     * @return done; NOT_READY where a driver setting stands against it
     */
    public Answer<Done> linkLowPowerThreshold(int threshold) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetNvLinkDeviceLowPowerThreshold;
        Struct struct = new Struct(nvmlNvLinkPowerThres_t, Scratch.fresh().take(nvmlNvLinkPowerThres_t));
        struct.set("lowPwrThreshold", threshold);
        return Queries.done(function, device.calls().call(function, device, struct.memory()));
    }

    private Answer<Done> act(NvmlFunction function) {
        return Queries.done(function, device.calls().call(function, device));
    }

    private Answer<Done> set(NvmlFunction function, int value) {
        return Queries.done(function, device.calls().call(function, device, value));
    }

    /** {@code nvmlEnableState_t}. */
    static int flag(boolean enabled) {
        return enabled ? 1 : 0;
    }
}
