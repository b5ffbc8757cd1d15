// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;

/** Taking a GPU out of the machine, and finding it again: for that it is named by its PCI address. */
final class DrainBehaviours {
    private DrainBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceQueryDrainState", DrainBehaviours::query);
        behaviours.put("nvmlDeviceModifyDrainState", DrainBehaviours::modify);
        behaviours.put("nvmlDeviceRemoveGpu_v2", DrainBehaviours::remove);
        behaviours.put("nvmlDeviceDiscoverGpus", DrainBehaviours::discover);
    }

    private static boolean isAt(SimulatedGpu gpu, StructView pci) {
        return gpu.identity().domain() == pci.getInt("domain")
                && gpu.identity().bus() == pci.getInt("bus")
                && gpu.identity().device() == pci.getInt("device");
    }

    private static SimulatedGpu gpu(Call call) {
        StructView pci = call.struct(0);
        return call.machine().numbered().stream()
                .filter(gpu -> isAt(gpu, pci))
                .findFirst()
                .orElseThrow(() -> new Refusal(Code.INVALID_ARGUMENT));
    }

    private static void query(Call call) {
        SimulatedGpu gpu = gpu(call);
        synchronized (gpu) {
            call.putInt(1, gpu.settings().isDraining ? 1 : 0);
        }
    }

    /** nvml.h: IN_USE in persistence mode. */
    private static void modify(Call call) {
        boolean isDraining = SettingBehaviours.enabled(call, 1);
        SimulatedGpu gpu = gpu(call);
        call.require(Privilege.ROOT);
        if (isDraining && gpu.state().persistence() == 1) {
            throw new Refusal(Code.IN_USE);
        }
        gpu.change(() -> gpu.settings().isDraining = isDraining);
    }

    private static void remove(Call call) {
        SimulatedGpu gpu = gpu(call);
        call.require(Privilege.ROOT);
        synchronized (gpu) {
            if (!gpu.settings().isDraining
                    || gpu.state().persistence() == 1
                    || gpu.mig().isGpuInUse()) {
                throw new Refusal(Code.IN_USE);
            }
        }
        gpu.remove();
    }

    /** nvml.h: all zeros for the whole tree. */
    private static void discover(Call call) {
        StructView pci = call.struct(0);
        call.require(Privilege.ROOT);
        boolean isAll = pci.getInt("domain") == 0 && pci.getInt("bus") == 0 && pci.getInt("device") == 0;
        List<SimulatedGpu> gone = call.machine().gpus().stream()
                .filter(gpu -> call.machine().isGone(gpu) && (isAll || isAt(gpu, pci)))
                .toList();
        gone.forEach(SimulatedGpu::comeBack);
    }
}
