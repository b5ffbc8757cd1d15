// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.util.Set;

/** The MPS daemons that stand on MIG devices: they end before their instance does, and start again behind the change. */
public interface MpsTenants {
    /** For when there are none. */
    MpsTenants NONE = new MpsTenants() {
        @Override
        public void stop(GpuIdentity gpu, MigFacts now, Set<String> going) {}

        @Override
        public void start(GpuIdentity gpu, MigFacts now) {}
    };

    /**
     * Stops the daemons of devices.
     *
     * @param gpu the GPU
     * @param now how it is, with all devices
     * @param going the UUIDs of the devices that will be destroyed
     * @throws MigException when one does not end
     */
    void stop(GpuIdentity gpu, MigFacts now, Set<String> going) throws MigException;

    /**
     * Starts those that should run and do not, with the UUIDs of now; a daemon is known by where its instance lies. Called
     * behind every change, carried out or rolled back, and behind a recovery.
     *
     * @param gpu the GPU
     * @param now how it is
     * @throws MigException when one does not start
     */
    void start(GpuIdentity gpu, MigFacts now) throws MigException;
}
