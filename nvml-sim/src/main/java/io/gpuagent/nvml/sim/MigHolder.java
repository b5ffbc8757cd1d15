// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Something that holds a GPU or an instance open without being a process in any list: a monitor, a profiler, a display
 * server. What it holds cannot be destroyed.
 */
public final class MigHolder implements AutoCloseable {
    private final Runnable release;

    MigHolder(Runnable release) {
        this.release = release;
    }

    /** Lets go. */
    @Override
    public void close() {
        release.run();
    }
}
