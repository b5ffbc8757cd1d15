// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.MigRequest;
import io.gpuagent.model.GpuIdentity;

/**
 * Makes one request of the port.
 *
 * @param gpu the GPU
 * @param request what to do
 * @param depth how far the pollers have to let go
 * @param port who does it
 */
record RequestWork(GpuIdentity gpu, MigRequest request, PollerRelease.Depth depth, ControlPort port)
        implements GpuWork {
    @Override
    public End carryOut(MigCaller caller) {
        try (MigCaller own = caller.with(depth)) {
            return PlanWork.end(port.perform(request, own));
        }
    }
}
