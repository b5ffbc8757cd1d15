// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.log.LogLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;

/** Writes both logs in the real format. */
final class SimulatedLogs {
    private final DaemonFolders folders;
    private final long daemon;
    private final Clock clock;

    SimulatedLogs(DaemonFolders folders, long daemon, Clock clock) {
        this.folders = folders;
        this.daemon = daemon;
        this.clock = clock;
    }

    void control(String message) {
        control(daemon, message);
    }

    /** A forked server writes its first line under the name of the daemon. */
    void control(long pid, String message) {
        append(folders.controlLog(), LogLine.Source.CONTROL, pid, message);
    }

    void server(long pid, String message) {
        append(folders.serverLog(), LogLine.Source.SERVER, pid, message);
    }

    private void append(Path file, LogLine.Source source, long pid, String message) {
        LocalDateTime now = LocalDateTime.ofInstant(clock.now(), SimulatedHost.LOG_ZONE);
        try {
            Files.createDirectories(folders.log());
            Files.writeString(
                    file,
                    LogLine.format(now, source, pid, message) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new MpsException("cannot write the simulated MPS log " + file, e);
        }
    }
}
