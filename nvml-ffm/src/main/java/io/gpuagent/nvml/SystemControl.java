// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ControlLayouts.nvmlConfComputeSetKeyRotationThresholdInfo_v1_t;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.StructLayout;

/** What can be set for all GPUs of the machine together. All of it takes root. */
public final class SystemControl {
    private final Calls calls;

    SystemControl(Calls calls) {
        this.calls = calls;
    }

    /**
     * Sets whether GPUs in confidential computing take work (nvmlSystemSetConfComputeGpusReadyState).
     *
     * @param ready whether they do
     * @return done; NOT_SUPPORTED without confidential computing
     */
    public Answer<Done> confidentialComputeReady(boolean ready) {
        NvmlFunction function = NvmlFunction.nvmlSystemSetConfComputeGpusReadyState;
        return Queries.done(function, calls.call(function, Control.flag(ready)));
    }

    /**
     * Sets when confidential computing takes new keys (nvmlSystemSetConfComputeKeyRotationThresholdInfo).
     *
     * @param maxAttackerAdvantage the advantage in bits that an attacker may get; NVIDIA's default is 60
     * @return done; INVALID_STATE while GPUs take work
     */
    public Answer<Done> keyRotation(long maxAttackerAdvantage) {
        NvmlFunction function = NvmlFunction.nvmlSystemSetConfComputeKeyRotationThresholdInfo;
        StructLayout layout = nvmlConfComputeSetKeyRotationThresholdInfo_v1_t;
        Struct struct = new Struct(layout, Scratch.fresh().take(layout));
        struct.set("version", Layouts.version(layout, 1));
        struct.set("maxAttackerAdvantage", maxAttackerAdvantage);
        return Queries.done(function, calls.call(function, struct.memory()));
    }

    /**
     * Sets the bandwidth mode of all NVLinks (nvmlSystemSetNvlinkBwMode), at once.
     *
     * @param mode its number, for which nvml.h 13.0 has no names
     * @return done; IN_USE where GPUs reach each other peer to peer
     */
    public Answer<Done> linkBandwidth(int mode) {
        NvmlFunction function = NvmlFunction.nvmlSystemSetNvlinkBwMode;
        return Queries.done(function, calls.call(function, mode));
    }
}
