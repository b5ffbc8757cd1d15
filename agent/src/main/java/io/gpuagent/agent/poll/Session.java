// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.DriverState;
import io.gpuagent.model.DriverState.Down;
import java.util.List;

/**
 * What the driver's thread has published: the state and the workers that belong to it, in one piece, so that nobody sees
 * the one without the other.
 *
 * @param state whether NVML is up
 * @param workers a worker per GPU, by index; empty while NVML is down
 */
record Session(DriverState state, List<GpuWorker> workers) {
    Session {
        workers = List.copyOf(workers);
    }

    static Session down(Down down) {
        return new Session(down, List.of());
    }
}
