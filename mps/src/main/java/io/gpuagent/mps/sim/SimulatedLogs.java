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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the logs in the real format: two files of a daemon in the background, and all of it on the standard output of one
 * in the foreground, which writes no file.
 */
final class SimulatedLogs {
    private final DaemonFolders folders;
    private final long daemon;
    private final Clock clock;
    private final Optional<Consumer<String>> foreground;

    SimulatedLogs(DaemonFolders folders, long daemon, Clock clock, Optional<Consumer<String>> foreground) {
        this.folders = folders;
        this.daemon = daemon;
        this.clock = clock;
        this.foreground = foreground;
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

    /** Before it has made its context, a server calls itself otherwise. */
    void startingServer(long pid, String message) {
        append(folders.serverLog(), LogLine.Source.OTHER, pid, message);
    }

    private void append(Path file, LogLine.Source source, long pid, String message) {
        LocalDateTime now = LocalDateTime.ofInstant(clock.now(), SimulatedHost.LOG_ZONE);
        String line = LogLine.format(now, source, pid, message) + "\n";
        if (foreground.isPresent()) {
            foreground.get().accept(line);
            return;
        }
        try {
            Files.createDirectories(folders.log());
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new MpsException("cannot write the simulated MPS log " + file, e);
        }
    }
}
