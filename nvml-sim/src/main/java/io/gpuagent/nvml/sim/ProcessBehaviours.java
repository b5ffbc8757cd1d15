// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;

/** The lists of processes, in the three versions that NVML has had. */
final class ProcessBehaviours {
    /** Where there is no MIG instance, its id is all ones. */
    private static final int NO_INSTANCE = -1;

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
            List<SimulatedProcess> processes = call.gpu().sensors().processes().stream()
                    .filter(process -> process.kind() == kind)
                    .toList();
            String struct = struct(call);
            call.offer(1, processes.size());
            for (int i = 0; i < processes.size(); i++) {
                StructView info = call.element(2, i, struct)
                        .set("pid", processes.get(i).pid())
                        .set("usedGpuMemory", processes.get(i).memory());
                if (info.has("gpuInstanceId")) {
                    info.set("gpuInstanceId", NO_INSTANCE).set("computeInstanceId", NO_INSTANCE);
                }
            }
        };
    }

    /** Only the newest version's records have changed their size between drivers. */
    private static String struct(Call call) {
        return call.function().name().endsWith("_v3")
                ? call.driver().description().processRecord()
                : call.function().parameters().get(2).type();
    }
}
