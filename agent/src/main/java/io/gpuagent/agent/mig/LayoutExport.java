// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** Writes GPUs as a layout file: by UUID and with every place, so that it wants exactly what is there. */
final class LayoutExport {
    private final StringBuilder head = new StringBuilder();
    private final StringBuilder entries = new StringBuilder();

    LayoutExport(Instant now) {
        head.append("# Written by gpu-agent export at ")
                .append(now.truncatedTo(ChronoUnit.SECONDS))
                .append(".\n");
    }

    void add(MigFacts facts) {
        GpuIdentity gpu = facts.gpu().identity();
        entries.append("  # GPU ")
                .append(gpu.index())
                .append(", ")
                .append(facts.gpu().model().replaceAll("[^ -~]", "?"))
                .append("\n  - match: {uuid: ")
                .append(gpu.uuid())
                .append("}\n    mig-mode: ")
                .append(facts.enabled() ? "on" : "off")
                .append('\n');
        if (facts.enabled()) {
            List<GpuInstance> instances = facts.gpu().instances();
            entries.append(instances.isEmpty() ? "    mig: []\n" : "    mig:\n");
            instances.forEach(instance ->
                    entries.append("      - ").append(entry(instance)).append('\n'));
        }
    }

    void leaveOut(GpuIdentity gpu, String why) {
        head.append("# GPU ")
                .append(gpu.index())
                .append(" is left out: ")
                .append(why.replaceAll("[^ -~]", "?"))
                .append('\n');
    }

    private static String entry(GpuInstance instance) {
        String head = "{profile: " + instance.profile().name() + ", start: "
                + instance.placement().start();
        boolean isWhole = instance.computes().size() == 1
                && instance.computes()
                        .getFirst()
                        .name()
                        .equals(instance.profile().name());
        if (isWhole) {
            return head + "}";
        }
        return head + ", compute: ["
                + instance.computes().stream().map(LayoutExport::entry).collect(Collectors.joining(", ")) + "]}";
    }

    private static String entry(ComputeInstance compute) {
        return "{profile: " + compute.name()
                + compute.placement().map(at -> ", start: " + at.start()).orElse("") + "}";
    }

    String text() {
        return head + "version: 1\n" + (entries.isEmpty() ? "gpus: []\n" : "gpus:\n" + entries);
    }
}
