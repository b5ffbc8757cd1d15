// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.nvml.Nvml;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A session that is over, and whose workers may still be in calls: it lets no new call in, and is shut down when the last
 * one has returned. NVML counts its users, so another session may be open meanwhile.
 */
final class AbandonedSession {
    private final Nvml nvml;
    private final NvmlSource.Opened opened;
    private final List<GpuWorker> workers;

    AbandonedSession(Nvml nvml, NvmlSource.Opened opened, List<GpuWorker> workers) {
        this.nvml = nvml;
        this.opened = opened;
        this.workers = workers;
    }

    /** The worker of a GPU, while it is in a call. */
    Optional<GpuWorker> hung(int index) {
        return workers.stream()
                .filter(worker -> worker.index() == index && worker.isAlive())
                .findFirst();
    }

    /** Lets no new call in; shuts NVML down and lets the library go, if no worker is in a call any more. */
    boolean tryEnd() {
        if (!nvml.close()) {
            return false;
        }
        opened.close().run();
        return true;
    }

    /** Waits for the workers to end; once one has not ended in time, the others are not waited for either. */
    void awaitWorkers(Duration within) throws InterruptedException {
        Duration left = within;
        for (GpuWorker worker : workers) {
            if (!worker.awaitEnd(left)) {
                left = Duration.ofMillis(1);
            }
        }
    }

    /** Waits although the process may be told to stop meanwhile; that has a deadline of its own. */
    void awaitWorkersCalmly(Duration within) {
        try {
            awaitWorkers(within);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String describe() {
        return "waiting for "
                + workers.stream()
                        .filter(GpuWorker::isAlive)
                        .map(worker -> "GPU " + worker.index())
                        .collect(Collectors.joining(", "));
    }
}
