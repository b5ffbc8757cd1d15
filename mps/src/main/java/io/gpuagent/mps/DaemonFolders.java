// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps;

import java.nio.file.Path;

/**
 * Where one control daemon lives. Both folders are always said to it: what it takes where one is missing differs between
 * drivers (/tmp/nvidia-mps, /run/nvidia-mps, or it refuses to start).
 *
 * @param pipe its sockets ({@code CUDA_MPS_PIPE_DIRECTORY})
 * @param log its logs ({@code CUDA_MPS_LOG_DIRECTORY}), absolute
 */
public record DaemonFolders(PipeDirectory pipe, Path log) {
    /** The control daemon's log in the log folder. */
    public static final String CONTROL_LOG = "control.log";
    /** The log of all servers in the log folder. */
    public static final String SERVER_LOG = "server.log";

    /**
     * Checks the log folder.
     *
     * @throws MpsException when it is relative
     */
    public DaemonFolders {
        if (!log.isAbsolute()) {
            throw new MpsException("the MPS log directory " + log + " cannot be used: it must be an absolute path");
        }
    }

    /**
     * The folders as the agent lays them out.
     *
     * @param runtime such as {@code /run/gpu-agent}
     * @param logs such as {@code /var/log/gpu-agent}
     * @param id the daemon's id, a file name
     * @return {@code RUNTIME/mps/ID/pipe} and {@code LOGS/mps/ID}
     * @throws MpsException when the pipe directory would be too long, or the id is no plain file name
     */
    public static DaemonFolders of(Path runtime, Path logs, String id) {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
            throw new MpsException("the MPS daemon id \"" + id + "\" is no file name: use letters, digits, - and _");
        }
        return new DaemonFolders(
                new PipeDirectory(runtime.resolve("mps").resolve(id).resolve("pipe")),
                logs.resolve("mps").resolve(id));
    }

    /**
     * The control daemon's log.
     *
     * @return its path
     */
    public Path controlLog() {
        return log.resolve(CONTROL_LOG);
    }

    /**
     * The servers' log.
     *
     * @return its path
     */
    public Path serverLog() {
        return log.resolve(SERVER_LOG);
    }
}
