// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a steady fast round of the agent's pollers allocates on the thread of GPU 0. */
final class PollAllocation {
    private static final int WARM_UP = 400;
    private static final int ROUNDS = 400;

    private PollAllocation() {}

    static long bytesPerRound(PolledNode node) throws InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long gpu = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("gpu-0"))
                .findFirst()
                .orElseThrow()
                .threadId();
        for (int i = 0; i < WARM_UP; i++) {
            node.round();
        }
        long before = threads.getThreadAllocatedBytes(gpu);
        for (int i = 0; i < ROUNDS; i++) {
            node.round();
        }
        return (threads.getThreadAllocatedBytes(gpu) - before) / ROUNDS;
    }
}
