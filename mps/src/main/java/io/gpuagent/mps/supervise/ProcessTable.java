// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.PipeDirectory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The processes of the machine. */
public interface ProcessTable {
    /**
     * The process that has a pid now.
     *
     * @param pid the pid
     * @return its identity; empty where there is none, or only one that has ended and was not waited for
     */
    Optional<ProcessIdentity> identity(long pid);

    /**
     * Whether a process still runs.
     *
     * @param process which
     * @return false also where another one has its pid
     */
    default boolean isAlive(ProcessIdentity process) {
        return identity(process.pid()).equals(Optional.of(process));
    }

    /**
     * Its user.
     *
     * @param pid which
     * @return the uid; empty where it cannot be read
     */
    OptionalLong uid(long pid);

    /**
     * Its name as the kernel keeps it.
     *
     * @param pid which
     * @return up to 15 characters; empty where it cannot be read
     */
    Optional<String> name(long pid);

    /**
     * When it started.
     *
     * @param process which
     * @return the time; empty where it cannot be read
     */
    Optional<Instant> startedAt(ProcessIdentity process);

    /**
     * Whether a process is provably the control daemon of a pipe directory: by its program's name and the directory in
     * its environment.
     *
     * @param pid which
     * @param pipe the directory
     * @return empty where its environment cannot be read
     */
    Optional<Boolean> isDaemonOf(long pid, PipeDirectory pipe);

    /**
     * Whether a process was started out of the environment file of one of our daemons ({@link EnvironmentFile#MARK}).
     *
     * @param pid which
     * @param id the daemon's id
     * @return false also where its environment cannot be read
     */
    boolean isMarked(long pid, String id);

    /**
     * All servers whose environment names a pipe directory.
     *
     * @param pipe the directory
     * @return those that can be read
     */
    List<ProcessIdentity> serversOf(PipeDirectory pipe);

    /**
     * All control daemons whose environment names a pipe directory.
     *
     * @param pipe the directory
     * @return those that can be read
     */
    List<ProcessIdentity> daemonsOf(PipeDirectory pipe);

    /**
     * Sends a signal to a process that is provably the same.
     *
     * @param process which
     * @param forcibly SIGKILL and not SIGTERM
     */
    void signal(ProcessIdentity process, boolean forcibly);
}
