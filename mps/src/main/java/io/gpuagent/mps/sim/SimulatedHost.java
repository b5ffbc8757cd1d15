// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What a simulated daemon needs of its machine: processes for its servers, and to hear that it ends. */
public interface SimulatedHost {
    /**
     * Starts a server's process.
     *
     * @param uid its user
     * @return its pid
     */
    long startServer(int uid);

    /**
     * Ends a server's process, where it still runs.
     *
     * @param pid its pid
     */
    void endServer(long pid);

    /**
     * Where a daemon in the foreground ({@code -f}) prints what it and its servers log.
     *
     * @return takes lines with their ends; empty for one in the background, which writes both files
     */
    default Optional<Consumer<String>> foreground() {
        return Optional.empty();
    }

    /**
     * The daemon has ended.
     *
     * @param orderly whether by {@code quit} and not by a signal
     */
    void daemonEnded(boolean orderly);

    /**
     * A machine that only counts pids.
     *
     * @param firstServer the first server's pid
     * @param files the files of the daemon, which are cleared up as the real one does
     * @return the machine
     */
    static SimulatedHost counting(long firstServer, PipeFiles files) {
        AtomicLong next = new AtomicLong(firstServer);
        return new SimulatedHost() {
            @Override
            public long startServer(int uid) {
                return next.getAndIncrement();
            }

            @Override
            public void endServer(long pid) {
                // There is no process behind it.
            }

            @Override
            public void daemonEnded(boolean orderly) {
                if (orderly) {
                    files.clearAfterQuit();
                }
            }
        };
    }

    /** The zone of the times in simulated logs. */
    ZoneOffset LOG_ZONE = ZoneOffset.UTC;
}
