// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import java.time.Duration;
import java.util.Optional;

/** A launcher whose daemons somebody else starts again, as systemd does: a test says what that one is going to do. */
final class WatchedLauncher implements DaemonLauncher {
    private final DaemonLauncher daemons;
    Prospect prospect = Prospect.NONE;
    int starts;

    WatchedLauncher(DaemonLauncher daemons) {
        this.daemons = daemons;
    }

    @Override
    public ProcessIdentity start(Launch launch) {
        starts++;
        return daemons.start(launch);
    }

    /** What that one does by itself. */
    void startByItself(Launch launch) {
        daemons.start(launch);
    }

    @Override
    public Optional<ProcessIdentity> running(Launch launch) {
        return daemons.running(launch);
    }

    @Override
    public boolean end(Launch launch, ProcessIdentity process, Duration within) {
        return daemons.end(launch, process, within);
    }

    @Override
    public void forget(Launch launch) {
        daemons.forget(launch);
    }

    @Override
    public Prospect prospect(Launch launch) {
        return prospect;
    }

    @Override
    public String describe() {
        return "unit of a test";
    }
}
