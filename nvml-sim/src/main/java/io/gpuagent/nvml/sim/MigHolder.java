// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.function.Consumer;

/**
 * Something that holds a GPU or an instance open without being a process in any list: a monitor, a profiler, a display
 * server. What it holds cannot be destroyed.
 */
public final class MigHolder implements AutoCloseable {
    private final Consumer<MigHolder> release;

    MigHolder(Consumer<MigHolder> release) {
        this.release = release;
    }

    /** Lets go. */
    @Override
    public void close() {
        release.accept(this);
    }
}
