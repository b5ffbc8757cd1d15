// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.ClockLayouts;
import io.gpuagent.nvml.internal.Handle;

/** Sets clocks; all in MHz. */
public final class ClockControl {
    private final Handle device;

    ClockControl(Handle device) {
        this.device = device;
    }

    /**
     * Keeps the graphics clock in a range (nvmlDeviceSetGpuLockedClocks).
     *
     * @param min MHz
     * @param max MHz
     * @return done; INVALID_ARGUMENT where the GPU has no such clocks
     */
    public Answer<Done> lockGraphics(int min, int max) {
        return set(NvmlFunction.nvmlDeviceSetGpuLockedClocks, min, max);
    }

    /**
     * Gives the graphics clock free (nvmlDeviceResetGpuLockedClocks).
     *
     * @return done
     */
    public Answer<Done> unlockGraphics() {
        return act(NvmlFunction.nvmlDeviceResetGpuLockedClocks);
    }

    /**
     * Keeps the memory clock in a range (nvmlDeviceSetMemoryLockedClocks).
     *
     * @param min MHz
     * @param max MHz
     * @return done; INVALID_ARGUMENT where the GPU has no such clocks
     */
    public Answer<Done> lockMemory(int min, int max) {
        return set(NvmlFunction.nvmlDeviceSetMemoryLockedClocks, min, max);
    }

    /**
     * Gives the memory clock free (nvmlDeviceResetMemoryLockedClocks).
     *
     * @return done
     */
    public Answer<Done> unlockMemory() {
        return act(NvmlFunction.nvmlDeviceResetMemoryLockedClocks);
    }

    /**
     * Sets the clocks of compute programs (nvmlDeviceSetApplicationsClocks). Deprecated by NVIDIA and gone in CUDA 14: locks
     * are its successor.
     *
     * @param memory MHz, one of those supported
     * @param graphics MHz, one of those supported with that memory clock
     * @return done
     */
    public Answer<Done> applications(int memory, int graphics) {
        return set(NvmlFunction.nvmlDeviceSetApplicationsClocks, memory, graphics);
    }

    /**
     * Sets the clocks of compute programs back (nvmlDeviceResetApplicationsClocks).
     *
     * @return done
     */
    public Answer<Done> resetApplications() {
        return act(NvmlFunction.nvmlDeviceResetApplicationsClocks);
    }

    /**
     * Shifts a clock against its voltage curve in one P-state (nvmlDeviceSetClockOffsets).
     *
     * @param domain which clock
     * @param performanceState 0 to 15
     * @param offset MHz, also below 0
     * @return done; INVALID_ARGUMENT outside the range that the getter tells
     */
    public Answer<Done> offset(Clocks.Domain domain, int performanceState, int offset) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceSetClockOffsets,
                ClockLayouts.nvmlClockOffset_v1_t,
                1,
                info -> {
                    info.set("type", code(domain));
                    info.set("pstate", performanceState);
                    info.set("clockOffsetMHz", offset);
                },
                info -> Done.DONE);
    }

    /** {@code nvmlClockType_t}. */
    private static int code(Clocks.Domain domain) {
        return switch (domain) {
            case GRAPHICS -> 0;
            case SM -> 1;
            case MEMORY -> 2;
            case VIDEO -> 3;
        };
    }

    /**
     * Sets whether clocks may rise above their base by themselves (nvmlDeviceSetAutoBoostedClocksEnabled); before Pascal
     * only.
     *
     * @param enabled on
     * @return done; NOT_SUPPORTED on Pascal and newer
     */
    public Answer<Done> autoBoost(boolean enabled) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetAutoBoostedClocksEnabled;
        return Queries.done(function, device.calls().call(function, device, Control.flag(enabled)));
    }

    /**
     * Sets what auto boost falls back to when no program runs (nvmlDeviceSetDefaultAutoBoostedClocksEnabled); before
     * Pascal only.
     *
     * @param enabled on
     * @return done; NOT_SUPPORTED on Pascal and newer
     */
    public Answer<Done> autoBoostByDefault(boolean enabled) {
        return set(NvmlFunction.nvmlDeviceSetDefaultAutoBoostedClocksEnabled, Control.flag(enabled), 0);
    }

    /**
     * Sets whether only root may change clocks of some kind (nvmlDeviceSetAPIRestriction).
     *
     * @param api what is to be changed
     * @param rootOnly whether only root may
     * @return done; NOT_SUPPORTED where the GPU does not have what is to be changed
     */
    public Answer<Done> restrict(RestrictedApi api, boolean rootOnly) {
        return set(NvmlFunction.nvmlDeviceSetAPIRestriction, api.c, Control.flag(rootOnly));
    }

    private Answer<Done> act(NvmlFunction function) {
        return Queries.done(function, device.calls().call(function, device));
    }

    private Answer<Done> set(NvmlFunction function, int first, int second) {
        return Queries.done(function, device.calls().call(function, device, first, second));
    }

    /** {@code nvmlRestrictedAPI_t}. */
    public enum RestrictedApi {
        /** Clocks of compute programs. */
        APPLICATION_CLOCKS(0),
        /** Auto boost. */
        AUTO_BOOST(1);

        private final int c;

        RestrictedApi(int c) {
            this.c = c;
        }
    }
}
