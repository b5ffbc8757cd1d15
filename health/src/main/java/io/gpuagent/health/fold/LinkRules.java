// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PcieLink;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import java.util.Optional;

/** A GPU's links: PCIe, NVLink and the fabric behind it. */
final class LinkRules {
    /** An idle link narrows to save power; only a busy one tells. */
    private static final double BUSY = 0.5;

    private static final int IN_A_ROW = 3;
    /** With a reading each 15 seconds: ten minutes to join a fabric. */
    private static final int FABRIC_PATIENCE = 40;

    private static final double CRC_ERRORS_PER_SECOND = 100;
    private static final int FABRIC_COMPLETED = 3;
    private static final int FABRIC_NOT_SUPPORTED = 0;
    private static final int TRUE = 1;
    /** Shifts in the health mask; nvml.h, NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_… */
    private static final int DEGRADED_BANDWIDTH = 0;

    private static final int ROUTE_RECOVERY = 2;
    private static final int ROUTE_UNHEALTHY = 4;
    private static final int ACCESS_TIMEOUT_RECOVERY = 6;

    private LinkRules() {}

    static void apply(GpuDraft gpu, GpuPoll poll) {
        pcie(gpu, poll.pcie());
        for (GpuPoll.Nvlink link : poll.nvlinks()) {
            nvlink(gpu, link);
        }
        poll.fabric().ifPresent(fabric -> fabric(gpu, fabric));
    }

    private static void pcie(GpuDraft gpu, GpuPoll.Pcie pcie) {
        Optional<PcieLink> now = pcie.now();
        Optional<PcieLink> max = pcie.max();
        if (now.isEmpty() || max.isEmpty() || pcie.busy().isEmpty()) {
            return;
        }
        boolean isNarrow = now.get().generation() < max.get().generation()
                || now.get().width() < max.get().width();
        boolean isBusy = pcie.busy().getAsDouble() >= BUSY;
        // An idle reading says neither that the link is well nor that it is not.
        if (isBusy || !isNarrow) {
            RateRules.lasting(
                    gpu,
                    isNarrow,
                    IN_A_ROW,
                    PollRules.condition(
                            "pcie_link_below_max",
                            HealthState.DEGRADED,
                            HealthAction.INSPECT_HW,
                            "the PCIe link of a busy GPU runs at generation "
                                    + now.get().generation() + " with "
                                    + now.get().width() + " lanes, and could at "
                                    + max.get().generation() + " with "
                                    + max.get().width()));
        }
    }

    private static void nvlink(GpuDraft gpu, GpuPoll.Nvlink link) {
        String part = "link " + link.link();
        String crc = "nvlink_crc_" + link.link();
        String failed = "nvlink_recovery_failed_" + link.link();
        gpu.counters =
                gpu.counters.with(crc, link.crcErrors(), gpu.at()).with(failed, link.failedRecoveries(), gpu.at());
        RateRules.lasting(
                gpu,
                !link.isUp(),
                2,
                new Condition(
                        "nvlink_down",
                        part,
                        new Effect(HealthState.DEGRADED, HealthAction.INSPECT_HW),
                        ClearsOn.FLAG,
                        HealthSource.NVML_POLL,
                        "NVLink " + link.link() + " is down"));
        RateRules.rate(
                gpu,
                gpu.counters.perSecond(crc, gpu.at()),
                CRC_ERRORS_PER_SECOND,
                new Condition(
                        "nvlink_crc_rate",
                        part,
                        new Effect(HealthState.DEGRADED, HealthAction.INSPECT_HW),
                        ClearsOn.FLAG,
                        HealthSource.NVML_POLL,
                        "NVLink " + link.link() + " has more than 100 CRC errors a second"));
        if (gpu.counters.growth(failed, gpu.at()).orElse(0) > 0) {
            new Condition(
                            "nvlink_recovery_failed",
                            part,
                            new Effect(HealthState.DEGRADED, HealthAction.DRAIN_AND_RESET),
                            ClearsOn.RESET,
                            HealthSource.NVML_POLL,
                            "NVLink " + link.link() + " could not recover")
                    .once(gpu);
        }
    }

    private static void fabric(GpuDraft gpu, GpuPoll.Fabric fabric) {
        if (fabric.state() == FABRIC_NOT_SUPPORTED) {
            return;
        }
        RateRules.lasting(
                gpu,
                fabric.state() != FABRIC_COMPLETED,
                FABRIC_PATIENCE,
                PollRules.condition(
                        "fabric_not_joined",
                        HealthState.CRITICAL,
                        HealthAction.NONE,
                        "the GPU has not joined its NVLink fabric for ten minutes; look at nvidia-fabricmanager"));
        flag(
                gpu,
                fabric,
                DEGRADED_BANDWIDTH,
                "fabric_bandwidth_degraded",
                HealthState.DEGRADED,
                HealthAction.INSPECT_HW,
                "the NVLink fabric has less bandwidth than it should");
        flag(
                gpu,
                fabric,
                ROUTE_RECOVERY,
                "fabric_route_recovery",
                HealthState.WARN,
                HealthAction.NONE,
                "a route of the NVLink fabric is being recovered");
        flag(
                gpu,
                fabric,
                ROUTE_UNHEALTHY,
                "fabric_route_unhealthy",
                HealthState.CRITICAL,
                HealthAction.DRAIN_AND_RESET,
                "a route of the NVLink fabric is unhealthy");
        flag(
                gpu,
                fabric,
                ACCESS_TIMEOUT_RECOVERY,
                "fabric_timeout_recovery",
                HealthState.WARN,
                HealthAction.NONE,
                "the NVLink fabric recovers from a timeout");
    }

    /** 0 says that the driver does not know, which is neither good nor bad. */
    private static void flag(
            GpuDraft gpu,
            GpuPoll.Fabric fabric,
            int shift,
            String code,
            HealthState state,
            HealthAction action,
            String text) {
        long value = (fabric.healthMask() >> shift) & 3;
        if (value != 0) {
            PollRules.condition(code, state, action, text).is(value == TRUE, gpu);
        }
    }
}
