// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.poll.GpuReleases;
import io.gpuagent.agent.poll.NotReleasedException;
import io.gpuagent.control.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The agent's side of a change that it has asked for: tells of progress, and has the pollers let go of GPUs when the one
 * who makes the change asks for it. They are polled again when this is closed.
 */
public final class ReleasingCaller implements Caller, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReleasingCaller.class.getName());

    private final Consumer<String> progress;
    private final Optional<GpuReleases> releases;
    private final GpuReleases.Depth depth;
    private final List<GpuReleases.Released> released = new ArrayList<>();

    /**
     * The side of one request.
     *
     * @param progress hears of each step
     * @param releases lets go of GPUs; empty where this process polls none
     * @param depth how far the change needs them to be let go of
     */
    public ReleasingCaller(Consumer<String> progress, Optional<GpuReleases> releases, GpuReleases.Depth depth) {
        this.progress = progress;
        this.releases = releases;
        this.depth = depth;
    }

    @Override
    public void progress(String sentence) {
        progress.accept(sentence);
    }

    @Override
    public boolean quiesce(List<String> gpus) {
        if (releases.isEmpty()) {
            return true;
        }
        try {
            // Each of two steps may take as long; both have to come within what the one who asks waits for.
            released.add(releases.get()
                    .release(gpus, depth, Duration.ofSeconds(QUIESCE_SECONDS).dividedBy(2)));
            return true;
        } catch (NotReleasedException e) {
            LOG.log(WARNING, "a change was not made: {0}", e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        released.forEach(GpuReleases.Released::close);
    }
}
