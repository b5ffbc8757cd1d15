// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthScope;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import io.gpuagent.model.health.XidCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Verdicts as they may be. */
public final class SampleHealth {
    private static final Instant AT = Instant.parse("2026-12-01T12:00:00Z");

    private SampleHealth() {}

    /**
     * The first GPU of a node has had a contained memory error, and somebody answers for an older one; one GPU that the
     * node once had is gone; all others are well.
     *
     * @param node the node
     * @return its health
     */
    public static NodeHealth ailing(NodeSnapshot node) {
        List<Verdict> gpus = new ArrayList<>();
        for (GpuSnapshot gpu : node.gpus()) {
            gpus.add(gpus.isEmpty() ? withXids(gpu) : well(gpu));
        }
        gpus.add(new Verdict(
                "0000:ff:00.0",
                Optional.of("0000:ff:00.0"),
                HealthState.LOST,
                HealthAction.REBOOT,
                List.of(),
                List.of()));
        return new NodeHealth(
                AT,
                HealthState.LOST,
                HealthAction.REBOOT,
                gpus,
                List.of(),
                List.of(
                        new SourceStatus("kernel_log", SourceStatus.State.OK, "", 17, 2, 1),
                        new SourceStatus("nvml_events", SourceStatus.State.FAILED, "NVML refuses", 0, 0, 0)),
                List.of(),
                "1");
    }

    private static Verdict withXids(GpuSnapshot gpu) {
        String uuid = gpu.identity().uuid();
        return new Verdict(
                uuid,
                Optional.empty(),
                HealthState.DEGRADED,
                HealthAction.RESTART_APP,
                List.of(
                        reason(uuid, "xid_94", "4", Optional.empty()),
                        reason(
                                uuid,
                                "row_remap_pending",
                                "3",
                                Optional.of(new Acknowledgement("uid 0", AT, "reset on Friday")))),
                List.of(new XidCount(94, 2, false, AT), new XidCount(31, 4_000_000_000L, true, AT)));
    }

    private static HealthReason reason(String uuid, String code, String incident, Optional<Acknowledgement> by) {
        return new HealthReason(
                code,
                "a contained memory error ended a program",
                HealthState.DEGRADED,
                HealthAction.RESTART_APP,
                ClearsOn.FLAG,
                HealthScope.gpu(uuid),
                incident,
                Set.of(HealthSource.KMSG),
                AT,
                AT,
                2,
                false,
                by);
    }

    private static Verdict well(GpuSnapshot gpu) {
        return new Verdict(
                gpu.identity().uuid(), Optional.empty(), HealthState.OK, HealthAction.NONE, List.of(), List.of());
    }
}
