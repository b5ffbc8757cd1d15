// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

/**
 * Gets what the kernel's log says, in its order, on the thread that reads it. The log waits in the kernel meanwhile: who
 * is slow here loses the oldest records there, which is told by {@link #lost}.
 */
public interface KernelLogListener {
    /**
     * A record.
     *
     * @param log the record
     * @param ageNanos how long ago it was written; 0 for what came while the log was being read
     */
    void record(KernelLogRecord log, long ageNanos);

    /**
     * Records were overwritten before they could be read.
     *
     * @param records how many, by their sequence numbers
     */
    void lost(long records);

    /** Something that is no record was read and left out. */
    void broken();

    /**
     * Reading has begun, ended, or could not begin.
     *
     * @param state how it is now
     * @param detail one sentence: what failed and what would be right; empty where all is well
     */
    void changed(KernelLogState state, String detail);
}
