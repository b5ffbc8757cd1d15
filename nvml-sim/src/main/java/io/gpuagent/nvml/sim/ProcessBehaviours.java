// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;

/** The lists of processes, in the three versions that NVML has had. */
final class ProcessBehaviours {
    private ProcessBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        for (String version : new String[] {"", "_v2", "_v3"}) {
            behaviours.put("nvmlDeviceGetComputeRunningProcesses" + version, list(SimulatedProcess.Kind.COMPUTE));
            behaviours.put("nvmlDeviceGetGraphicsRunningProcesses" + version, list(SimulatedProcess.Kind.GRAPHICS));
            behaviours.put("nvmlDeviceGetMPSComputeRunningProcesses" + version, list(SimulatedProcess.Kind.MPS));
        }
    }

    private static Behaviour list(SimulatedProcess.Kind kind) {
        return call -> {
            if (call.gpu().state().migCurrent() == 1) {
                call.require(Privilege.MIG_MONITOR);
            }
            List<SimulatedProcess> processes = call.gpu().sensors().processes().stream()
                    .filter(process -> isListed(process, kind) && isAsked(call, process))
                    .toList();
            String struct = struct(call);
            call.offer(1, processes.size());
            for (int i = 0; i < processes.size(); i++) {
                StructView info = call.element(2, i, struct)
                        .set("pid", processes.get(i).pid())
                        .set("usedGpuMemory", processes.get(i).memory());
                if (info.has("gpuInstanceId")) {
                    info.set("gpuInstanceId", processes.get(i).gpuInstance())
                            .set("computeInstanceId", processes.get(i).computeInstance());
                }
            }
        };
    }

    private static boolean isListed(SimulatedProcess process, SimulatedProcess.Kind list) {
        return list == SimulatedProcess.Kind.COMPUTE ? process.isListedAsCompute() : process.kind() == list;
    }

    /** A GPU lists the processes of all its instances, a MIG device its own. */
    private static boolean isAsked(Call call, SimulatedProcess process) {
        if (!call.asksMigDevice()) {
            return true;
        }
        MigComputeInstance compute = call.target(MigDevice.class).compute();
        return process.gpuInstance() == compute.owner().id() && process.computeInstance() == compute.id();
    }

    /** Only the newest version's records have changed their size between drivers. */
    private static String struct(Call call) {
        return call.function().name().endsWith("_v3")
                ? call.library().description().processRecord()
                : call.function().parameters().get(2).type();
    }
}
