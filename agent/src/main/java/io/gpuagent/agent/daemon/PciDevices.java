// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Identity;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.SymbolSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * PCI device and vendor ids (nvmlDeviceGetPciInfo_v3, pciDeviceId, such as {@code 0x233510DE}), by which files of
 * mig-parted choose GPUs. They never change, so that each is read once, when one is first asked for. Nothing else needs
 * them, and so they are no reading.
 */
final class PciDevices implements Function<String, Optional<Integer>> {
    /** In real time: what is awaited is a thread, which a driver may hold for ever. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final NvmlAccess nvml;
    private final Clock clock;
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    PciDevices(NvmlAccess nvml, Clock clock) {
        this.nvml = nvml;
        this.clock = clock;
    }

    @Override
    public Optional<Integer> apply(String uuid) {
        if (!known.containsKey(uuid)) {
            Thread reading = Thread.ofPlatform().name("pci-devices").daemon().start(this::read);
            try {
                reading.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Optional.ofNullable(known.get(uuid));
    }

    private void read() {
        try {
            SymbolSource symbols = nvml.symbols();
            if (Nvml.open(symbols, CallObserver.NONE, clock::nanos) instanceof Answer.Value<Nvml>(Nvml session)) {
                try {
                    read(session);
                } finally {
                    session.close();
                }
            }
            if (symbols instanceof NvmlLibrary library) {
                library.close();
            }
        } catch (NvmlLibrary.NotFound e) {
            // Without a driver there are no GPUs to choose from either.
            known.clear();
        }
    }

    private void read(Nvml session) {
        for (int index = 0; index < session.gpuCount().value().orElse(0); index++) {
            Optional<Identity> gpu = session.gpu(index).value().map(Gpu::identity);
            Optional<String> uuid = gpu.flatMap(identity -> identity.uuid().value());
            Optional<Integer> device =
                    gpu.flatMap(identity -> identity.pci().value()).map(Identity.PciInfo::deviceId);
            if (uuid.isPresent() && device.isPresent()) {
                known.put(uuid.get(), device.get());
            }
        }
    }
}
