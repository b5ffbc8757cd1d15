// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.api.MigDevices;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.sim.SimulatedDevice;
import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.SymbolSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The cards of a simulated driver as simulated MPS daemons see them, read through the binding like everything else. */
final class SimulatedCards {
    // No card that MPS limits work on has fewer than 64 cores a multiprocessor; newer ones have 128.
    private static final int CORES_OF_VOLTA_TO_A100 = 64;
    private static final int CORES_SINCE = 128;

    private SimulatedCards() {}

    /** None where the simulated driver begins with a fault. */
    static List<SimulatedDevice> of(SymbolSource driver, Clock clock) {
        List<SimulatedDevice> cards = new ArrayList<>();
        if (Nvml.open(driver, CallObserver.NONE, clock::nanos, Access.READ_ONLY)
                instanceof Answer.Value<Nvml>(Nvml nvml)) {
            try {
                long count = nvml.gpuCount().value().orElse(0);
                for (int index = 0; index < count; index++) {
                    nvml.gpu(index).value().ifPresent(gpu -> cards.add(card(gpu)));
                }
            } finally {
                nvml.close();
            }
        }
        return cards;
    }

    /** A MIG device, which may have been made a moment ago; as the snapshot has it. */
    static Optional<SimulatedDevice> mig(NodeSnapshot node, String uuid) {
        SimulatedDevice known = SimulatedDevice.H200;
        return MigDevices.of(node)
                .byUuid(uuid)
                .map(device -> new SimulatedDevice(
                        uuid,
                        device.gpu().readings().value(ReadingKeys.NAME).orElse(known.name()) + " MIG "
                                + device.compute().profile(),
                        known.pciId(),
                        device.compute().multiprocessors().orElse(known.multiprocessors()),
                        device.instance().memoryBytes()));
    }

    private static SimulatedDevice card(Gpu gpu) {
        String capability = gpu.identity().computeCapability().value().orElse("");
        boolean older = capability.startsWith("7.") || capability.equals("8.0");
        long cores = gpu.identity().cores().value().orElse(0L);
        SimulatedDevice known = SimulatedDevice.H200;
        return new SimulatedDevice(
                gpu.identity().uuid().value().orElse(known.uuid()),
                gpu.identity().name().value().orElse(known.name()),
                known.pciId(),
                (int) (cores / (older ? CORES_OF_VOLTA_TO_A100 : CORES_SINCE)),
                gpu.memory().use().value().map(use -> use.total()).orElse(known.memoryBytes()));
    }
}
