// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ProcessTransport;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The daemon of the unit in whose environment this process runs. */
final class UnitDaemon {
    private UnitDaemon() {}

    /**
     * The way to it.
     *
     * @param host this machine and environment
     * @param clock the time
     * @param byHand the command that a person uses
     * @throws MpsException when this is not the environment of such a unit
     */
    static ControlTransport transport(HostView host, Clock clock, String byHand) {
        DaemonFolders folders = new DaemonFolders(
                new PipeDirectory(folder(host, MpsEnvironment.PIPE_DIRECTORY, byHand)),
                folder(host, MpsEnvironment.LOG_DIRECTORY, byHand));
        ControlProgram program = ControlProgram.find(host)
                .orElseThrow(() -> new MpsException(ControlProgram.NAME
                        + " is not on the PATH of this unit: correct PATH in its environment file"));
        return new ProcessTransport(program, MpsEnvironment.ofCommand(host, folders), clock);
    }

    private static Path folder(HostView host, String variable, String byHand) {
        try {
            return host.folder(variable)
                    .orElseThrow(() -> new MpsException(variable
                            + " names no folder: this is for the unit gpu-agent-mps@ID.service, which sets it; "
                            + byHand));
        } catch (InvalidPathException e) {
            throw new MpsException("the folder " + e.getInput() + " cannot be expressed in this locale", e);
        }
    }
}
