// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlComputeModes;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.nvml.NvmlLibrary;

/** This machine, its driver and its daemons. */
final class RealPort {
    private RealPort() {}

    static ControlPort open(HelperOptions options, Requester requester) {
        return new DirectPort(
                HostView.real(),
                options.folders(),
                () -> {
                    throw new ChangeRefused(
                            ChangeRefused.Kind.NOT_SUPPORTED, "this version of the helper manages no MPS daemons");
                },
                new NvmlComputeModes(() -> NvmlLibrary.open(options.nvmlLibrary()), SystemClock.INSTANCE),
                requester,
                SystemClock.INSTANCE);
    }
}
