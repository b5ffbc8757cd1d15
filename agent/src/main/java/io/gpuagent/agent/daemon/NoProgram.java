// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.supervise.DaemonLauncher;
import io.gpuagent.mps.supervise.Transports;
import java.time.Duration;
import java.util.Optional;

/** A machine without NVIDIA's control program: nothing runs, and what is asked for is refused with that reason. */
final class NoProgram implements DaemonLauncher, Transports {
    private static MpsException missing() {
        return new MpsException("there is no " + ControlProgram.NAME
                + " on the PATH; install the driver's compute utilities, which bring it along");
    }

    @Override
    public ProcessIdentity start(Launch launch) {
        throw missing();
    }

    @Override
    public Optional<ProcessIdentity> running(Launch launch) {
        return Optional.empty();
    }

    @Override
    public boolean end(Launch launch, ProcessIdentity process, Duration within) {
        throw missing();
    }

    @Override
    public void forget(Launch launch) {
        // Nothing was started.
    }

    @Override
    public Prospect prospect(Launch launch) {
        return Prospect.NONE;
    }

    @Override
    public String describe() {
        return "nothing, for want of " + ControlProgram.NAME;
    }

    @Override
    public ControlTransport to(DaemonFolders folders) {
        throw missing();
    }
}
