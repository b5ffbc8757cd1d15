// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The agent's side of one change: writes down its progress, calls it off, and has the pollers let go. */
final class MigCaller implements Caller, AutoCloseable {
    private final Consumer<String> progress;
    private final BooleanSupplier isCancelled;
    private final PollerRelease pollers;
    private final PollerRelease.Depth depth;
    private final List<PollerRelease.Released> released = new ArrayList<>();

    MigCaller(
            Consumer<String> progress, BooleanSupplier isCancelled, PollerRelease pollers, PollerRelease.Depth depth) {
        this.progress = progress;
        this.isCancelled = isCancelled;
        this.pollers = pollers;
        this.depth = depth;
    }

    /** The same side for a change that needs more, or less, to be let go of. */
    MigCaller with(PollerRelease.Depth other) {
        return new MigCaller(progress, isCancelled, pollers, other);
    }

    @Override
    public void progress(String sentence) {
        progress.accept(sentence);
    }

    @Override
    public boolean goOn() {
        return !isCancelled.getAsBoolean();
    }

    @Override
    public synchronized boolean quiesce(List<String> gpus) {
        Optional<PollerRelease.Released> more = pollers.release(gpus, depth);
        more.ifPresent(released::add);
        return more.isPresent();
    }

    /** Has the GPUs polled again. */
    @Override
    public synchronized void close() {
        released.forEach(PollerRelease.Released::close);
        released.clear();
    }
}
