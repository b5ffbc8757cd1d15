// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Counters of a GPU. A good GPU has counted this and that by the time it is first read (an H200 had 581 link recoveries at
 * idle), so only growth says something, and only growth in several readings in a row.
 */
final class RateRules {
    static final String CORRECTED = "ecc_corrected";
    static final String UNCORRECTED = "ecc_uncorrected";
    static final String REPLAYS = "pcie_replays";
    private static final String THERMAL = "thermal";
    private static final String POWER_BRAKE = "power_brake";
    private static final String SLOWED_BY_HEAT = "thermal_slowdown";

    /** Single errors are corrected every day; 17,700 a second were seen on a card whose flags were all clean. */
    private static final double CORRECTED_PER_SECOND = 100;
    /** A tenth of the time. */
    private static final double SLOWED_NANOS_PER_SECOND = 1e8;
    /** Replays a minute and lane that DCGM takes for normal, from the first generation to the sixth. */
    private static final double[] REPLAYS_PER_LANE = {0.15, 0.3, 0.48, 0.96, 1.92, 3.84};

    private static final int IN_A_ROW = 2;
    private static final int CALM = 4;
    private static final double SECONDS_PER_MINUTE = 60;

    private RateRules() {}

    static void apply(GpuDraft gpu, GpuPoll poll) {
        gpu.counters = gpu.counters
                .with(CORRECTED, poll.memory().corrected(), gpu.at())
                .with(UNCORRECTED, poll.memory().uncorrected(), gpu.at())
                .with(THERMAL, poll.throttle().thermal(), gpu.at())
                .with(POWER_BRAKE, poll.throttle().powerBrake(), gpu.at())
                .with(REPLAYS, poll.pcie().replays(), gpu.at());
        rate(
                gpu,
                gpu.counters.perSecond(CORRECTED, gpu.at()),
                CORRECTED_PER_SECOND,
                PollRules.condition(
                        "ecc_corrected_rate",
                        HealthState.DEGRADED,
                        HealthAction.NONE,
                        "more than 100 memory errors a second are being corrected"));
        uncorrected(gpu);
        rate(
                gpu,
                gpu.counters.perSecond(THERMAL, gpu.at()),
                SLOWED_NANOS_PER_SECOND,
                PollRules.condition(
                        SLOWED_BY_HEAT,
                        HealthState.WARN,
                        HealthAction.INSPECT_HW,
                        "heat slows the GPU down for more than a tenth of the time"));
        rate(
                gpu,
                gpu.counters.perSecond(POWER_BRAKE, gpu.at()),
                SLOWED_NANOS_PER_SECOND,
                PollRules.condition(
                        "power_brake_slowdown",
                        HealthState.DEGRADED,
                        HealthAction.INSPECT_HW,
                        "the power supply slows the GPU down for more than a tenth of the time"));
        replays(gpu, poll.pcie());
    }

    /** New uncorrectable errors are a fact each, without any rate. */
    private static void uncorrected(GpuDraft gpu) {
        OptionalLong growth = gpu.counters.growth(UNCORRECTED, gpu.at());
        if (growth.isEmpty()) {
            return;
        }
        boolean isNew = growth.getAsLong() > 0;
        boolean isCalm = gpu.streak(UNCORRECTED + "_calm", !isNew) >= CALM;
        if (isNew || isCalm) {
            PollRules.condition(
                            UNCORRECTED,
                            HealthState.DEGRADED,
                            HealthAction.NONE,
                            "uncorrectable memory errors were counted")
                    .is(isNew, gpu);
        }
    }

    private static void replays(GpuDraft gpu, GpuPoll.Pcie pcie) {
        int generation = pcie.now().map(link -> link.generation()).orElse(0);
        if (generation < 1) {
            return;
        }
        int row = Math.min(generation, REPLAYS_PER_LANE.length) - 1;
        double limit =
                REPLAYS_PER_LANE[row] * pcie.now().map(link -> link.width()).orElse(1) / SECONDS_PER_MINUTE;
        rate(
                gpu,
                gpu.counters.perSecond(REPLAYS, gpu.at()),
                limit,
                PollRules.condition(
                        "pcie_replay_rate",
                        HealthState.WARN,
                        HealthAction.INSPECT_HW,
                        "more PCIe replays than a link of its kind should have"));
    }

    /** Begins after two readings above the limit, and ends after four below half of it. */
    static void rate(GpuDraft gpu, OptionalDouble perSecond, double limit, Condition condition) {
        if (perSecond.isEmpty()) {
            return;
        }
        int above = gpu.streak(condition.code(), perSecond.getAsDouble() > limit);
        int below = gpu.streak(condition.code() + "_calm", perSecond.getAsDouble() < limit / 2);
        if (above >= IN_A_ROW || below >= CALM) {
            condition.is(above >= IN_A_ROW, gpu);
        }
    }

    /** As {@link #rate}, for what is so or is not. */
    static void lasting(GpuDraft gpu, boolean isSo, int inARow, Condition condition) {
        int length = gpu.streak(condition.code() + condition.part(), isSo);
        if (!isSo || length >= inARow) {
            condition.is(isSo, gpu);
        }
    }
}
