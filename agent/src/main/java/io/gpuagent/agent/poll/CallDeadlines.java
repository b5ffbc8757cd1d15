// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.nvml.NvmlFunction;
import java.time.Duration;

/**
 * How long a call may take before its GPU counts as unresponsive. The call itself cannot be ended; nobody waits for it.
 */
final class CallDeadlines {
    private static final Duration READ = Duration.ofSeconds(2);
    private static final Duration BATCH = Duration.ofSeconds(5);
    /** Attaching a GPU of a driver without persistence mode takes seconds, on large hosts many. */
    private static final Duration ATTACH = Duration.ofSeconds(60);

    private CallDeadlines() {}

    static Duration of(NvmlFunction function) {
        return switch (function) {
            case nvmlInit_v2, nvmlShutdown, nvmlDeviceGetCount_v2, nvmlDeviceGetHandleByIndex_v2 -> ATTACH;
            case nvmlDeviceGetFieldValues -> BATCH;
            default -> READ;
        };
    }
}
