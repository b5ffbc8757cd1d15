// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlComputeModes;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.NvmlLibrary;
import java.util.Optional;

/** This machine, its driver and its daemons. */
final class RealPort {
    private RealPort() {}

    static ControlPort open(HelperOptions options, Requester requester) {
        return new DirectPort(
                HostView.real(),
                options.folders(),
                Optional.empty(),
                new NvmlComputeModes(() -> NvmlLibrary.open(options.nvmlLibrary()), SystemClock.INSTANCE),
                requester,
                SystemClock.INSTANCE);
    }
}
