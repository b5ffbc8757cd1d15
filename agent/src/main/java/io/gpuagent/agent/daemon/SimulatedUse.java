// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.mps.supervise.GpuUse;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What NVML would tell of a simulated card with simulated MPS clients: the simulated driver and the simulated daemons do
 * not know each other, so that the processes of both are put together here.
 *
 * @param driver what the simulated driver tells
 * @param daemons what the simulated daemons tell
 */
record SimulatedUse(GpuUse driver, GpuUse daemons) implements GpuUse {
    @Override
    public Optional<Device> device(String uuid) {
        Optional<Device> mps = daemons.device(uuid);
        return driver.device(uuid)
                .map(card -> new Device(
                        card.capability(),
                        card.multiprocessors(),
                        card.memoryBytes(),
                        both(card.mpsClients(), mps.flatMap(Device::mpsClients)),
                        both(card.computing(), mps.flatMap(Device::computing)),
                        card.computeMode()));
    }

    private static Optional<Map<Long, OptionalLong>> both(
            Optional<Map<Long, OptionalLong>> one, Optional<Map<Long, OptionalLong>> other) {
        return one.map(processes -> {
            Map<Long, OptionalLong> all = new HashMap<>(processes);
            other.ifPresent(all::putAll);
            return all;
        });
    }

    @Override
    public boolean isComplete() {
        return driver.isComplete();
    }

    @Override
    public boolean listsMigDevices() {
        return driver.listsMigDevices();
    }
}
