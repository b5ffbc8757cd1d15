// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The one thread that calls for a GPU, or for the node. A call that does not return keeps it for good. */
final class CaptureThread implements AutoCloseable {
    private final ExecutorService executor;
    private boolean isHung;

    CaptureThread(String name) {
        // A daemon, so that a call that never returns does not keep the process.
        executor = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("capture " + name).daemon().factory());
    }

    boolean isHung() {
        return isHung;
    }

    /**
     * Runs something on the thread and waits for it.
     *
     * @param task what to run
     * @param deadline how long to wait
     * @return what it returned; empty where it did not within that time, or an earlier one has not returned
     * @throws InterruptedException when the waiting thread is interrupted
     */
    <T> Optional<T> run(Callable<T> task, Duration deadline) throws InterruptedException {
        if (isHung) {
            return Optional.empty();
        }
        Future<T> result = executor.submit(task);
        try {
            return Optional.of(result.get(deadline.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            isHung = true;
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a capture failed", e.getCause());
        }
    }

    @Override
    public void close() {
        // Not ExecutorService.close(), which waits for a call that hangs.
        executor.shutdown();
    }
}
