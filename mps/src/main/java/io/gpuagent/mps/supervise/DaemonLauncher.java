// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.DaemonFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs control daemons so that they outlive this process. */
public interface DaemonLauncher {
    /**
     * What is started.
     *
     * @param id the daemon's id
     * @param devices UUIDs of its devices
     * @param multiUser whether with {@code -multiuser-server}
     * @param folders its folders, which are there
     * @param environment its environment file, which holds all variables that it gets
     */
    record Launch(String id, List<String> devices, boolean multiUser, DaemonFolders folders, Path environment) {
        /** Takes a copy. */
        public Launch {
            devices = List.copyOf(devices);
        }
    }

    /**
     * Starts a daemon. It need not answer yet.
     *
     * @param launch which
     * @return its process
     * @throws io.gpuagent.mps.MpsException when it could not be started
     */
    ProcessIdentity start(Launch launch);

    /**
     * The daemon's process, whoever of this agent's processes started it.
     *
     * @param launch which
     * @return its process; empty where none runs
     */
    Optional<ProcessIdentity> running(Launch launch);

    /**
     * Ends a daemon that did not go by itself, and waits for it: first so that it can clear up, then by force.
     *
     * @param launch which
     * @param process its process, which is looked at again before each signal
     * @param within how long all of it may take
     * @return whether it has gone
     */
    boolean end(Launch launch, ProcessIdentity process, Duration within);

    /**
     * Forgets a daemon that has gone, so that nothing starts it again.
     *
     * @param launch which
     */
    void forget(Launch launch);

    /** What becomes of a daemon that has died, when this process does nothing. */
    enum Prospect {
        /** It stays down. */
        NONE,
        /** Somebody else is about to start it again, or is at it. */
        RETURNS,
        /** Somebody else has started it again too often, and does not do so any more. */
        GIVEN_UP
    }

    /**
     * What becomes of a daemon that does not run.
     *
     * @param launch which
     * @return {@link Prospect#NONE} where nobody else starts daemons
     */
    Prospect prospect(Launch launch);

    /**
     * How daemons are run, for people.
     *
     * @return such as {@code systemd unit gpu-agent-mps@ID.service}
     */
    String describe();
}
