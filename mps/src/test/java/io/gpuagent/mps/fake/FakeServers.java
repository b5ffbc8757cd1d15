// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.sim.PipeFiles;
import io.gpuagent.mps.sim.SimulatedDaemon;
import io.gpuagent.mps.sim.SimulatedHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A process for each server. It waits for the end of its standard input, which comes when the daemon dies, or for ever
 * where the test wants orphans.
 */
final class FakeServers implements SimulatedHost {
    private final Map<Long, Process> processes = new ConcurrentHashMap<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final PipeFiles files;
    private final ServerSocketChannel control;
    private final boolean inForeground;
    private SimulatedDaemon daemon;

    FakeServers(PipeFiles files, ServerSocketChannel control, boolean inForeground) {
        this.files = files;
        this.control = control;
        this.inForeground = inForeground;
    }

    void watchedBy(SimulatedDaemon watcher) {
        daemon = watcher;
        started.countDown();
    }

    @Override
    public long startServer(int uid) {
        String fifo = files.folders().pipe().file(PipeDirectory.LOG).toString();
        // Opened for reading and writing, a FIFO never ends.
        String wait = FakeSettings.load().orphans() ? "read -r _ <> \"$0\"" : "read -r _";
        try {
            Process process = new ProcessBuilder(
                            FakeSettings.folder()
                                    .resolve(ControlProgram.SERVER_NAME)
                                    .toString(),
                            "-c",
                            wait,
                            fifo)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            processes.put(process.pid(), process);
            Thread.ofPlatform().daemon().start(() -> report(process));
            return process.pid();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void report(Process process) {
        try {
            int status = process.waitFor();
            started.await();
            daemon.serverDied(process.pid(), status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void endServer(long pid) {
        Process process = processes.remove(pid);
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Override
    public Optional<Consumer<String>> foreground() {
        return inForeground ? Optional.of(FakeServers::print) : Optional.empty();
    }

    private static void print(String line) {
        System.out.print(line);
        System.out.flush();
    }

    @Override
    public void daemonEnded(boolean orderly) {
        if (orderly) {
            files.clearAfterQuit();
        }
        try {
            control.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
