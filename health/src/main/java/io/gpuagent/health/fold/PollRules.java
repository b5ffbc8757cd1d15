// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.RowRemap;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What a GPU says of itself when it is read. */
final class PollRules {
    static final String NOT_READ = "gpu_not_read";
    static final String MISSING = "gpu_missing";
    static final String NOT_DRIVEN = "gpu_not_driven";
    private static final String LOST = "gpu_lost";
    private static final String RESET_REQUIRED = "gpu_reset_required";
    static final String UNRESPONSIVE = "gpu_unresponsive";
    private static final String FAILING = "gpu_failing";
    private static final String RECOVERY = "recovery_action";
    /** A call that fails once may be the driver's; this many in a row are not. */
    private static final int FAILURES = 3;
    /** So long may a call take under load (46 s were seen) before only a restart is left to try. */
    private static final Duration HOPELESS = Duration.ofMinutes(5);

    private final Effects effects;

    PollRules(Effects effects) {
        this.effects = effects;
    }

    void polled(Draft node, GpuPoll poll) {
        Optional<PciAddress> pci = poll.pci();
        if (pci.isPresent()) {
            node.learn(pci.get(), poll.uuid());
        }
        GpuDraft gpu = node.gpu(poll.uuid());
        node.source(Sources.NVML, source -> source.received(1));
        gpu.lastRead = Optional.of(gpu.at());
        Condition.ends(gpu, NOT_READ, "");
        boolean answers = answers(gpu, poll.condition());
        if (!answers) {
            effects.weigh(gpu);
            return;
        }
        Condition.ends(gpu, MISSING, "");
        Condition.ends(gpu, NOT_DRIVEN, "");
        instances(gpu, poll.instances());
        restarted(gpu, poll);
        recovery(gpu, poll.recoveryAction());
        memory(gpu, poll);
        RateRules.apply(gpu, poll);
        LinkRules.apply(gpu, poll);
        migMode(gpu, poll.isMigModePending());
        boolean isClean = gpu.recovery
                .filter(known -> known.action() != RecoveryActions.NONE)
                .isEmpty();
        if (isClean) {
            gpu.lastClean = Optional.of(gpu.at());
        }
        effects.weigh(gpu);
        Clearing.afterReading(gpu, poll.rowRemap().map(RowRemap::pending));
    }

    /** Whether the rest of the reading counts. */
    private static boolean answers(GpuDraft gpu, GpuCondition condition) {
        GpuCondition.State state = condition.state();
        condition(
                        "gpu_released",
                        HealthState.UNKNOWN,
                        HealthAction.NONE,
                        "the agent has let go of the GPU while it is changed, and asks it nothing")
                .is(state == GpuCondition.State.RELEASED, gpu);
        if (state == GpuCondition.State.STARTING || state == GpuCondition.State.RELEASED) {
            return false;
        }
        String detail = condition.detail() == null ? "" : ": " + condition.detail();
        condition(LOST, HealthState.LOST, HealthAction.REBOOT, "the GPU has left the bus" + detail)
                .is(state == GpuCondition.State.LOST, gpu);
        condition(
                        RESET_REQUIRED,
                        HealthState.CRITICAL,
                        HealthAction.DRAIN_AND_RESET,
                        "the driver says that the GPU needs a reset" + detail)
                .is(state == GpuCondition.State.RESET_REQUIRED, gpu);
        unresponsive(gpu, state == GpuCondition.State.UNRESPONSIVE);
        int failures = gpu.streak(FAILING, state == GpuCondition.State.FAILING);
        condition(FAILING, HealthState.UNKNOWN, HealthAction.NONE, "each call to the GPU fails" + detail)
                .is(failures >= FAILURES, gpu);
        return state == GpuCondition.State.OK;
    }

    private static void unresponsive(GpuDraft gpu, boolean isSo) {
        boolean isHopeless = gpu.problems()
                .open(UNRESPONSIVE)
                .filter(problem -> gpu.at().isPast(problem.first(), HOPELESS))
                .isPresent();
        condition(
                        UNRESPONSIVE,
                        HealthState.UNRESPONSIVE,
                        isHopeless ? HealthAction.REBOOT : HealthAction.NONE,
                        isHopeless
                                ? "a call of the driver has not come back for more than five minutes"
                                : "a call of the driver has not come back within its deadline")
                .is(isSo, gpu);
    }

    /** A counter that has gone back means that the driver counts anew: a reset, or the driver was loaded again. */
    private static void restarted(GpuDraft gpu, GpuPoll poll) {
        boolean isRestarted = gpu.counters.hasRestarted(
                        RateRules.UNCORRECTED, poll.memory().uncorrected())
                || gpu.counters.hasRestarted(RateRules.CORRECTED, poll.memory().corrected())
                || gpu.counters.hasRestarted(RateRules.REPLAYS, poll.pcie().replays());
        if (isRestarted) {
            gpu.reset = Optional.of(gpu.at());
            gpu.node().worthStoring();
        }
    }

    private static void recovery(GpuDraft gpu, OptionalInt action) {
        if (action.isEmpty()) {
            return;
        }
        int now = action.getAsInt();
        boolean hasRecovered = now == RecoveryActions.NONE
                && gpu.recovery
                        .filter(known -> known.action() != RecoveryActions.NONE)
                        .isPresent();
        if (hasRecovered) {
            gpu.reset = Optional.of(gpu.at());
            gpu.node().worthStoring();
        }
        gpu.recovery = Optional.of(new GpuFacts.Recovery(now, gpu.at()));
        recoveryAction(gpu, now, HealthSource.NVML_POLL);
    }

    static void recoveryAction(GpuDraft gpu, int action, HealthSource source) {
        new Condition(RECOVERY, "", RecoveryActions.effect(action), ClearsOn.FLAG, source, RecoveryActions.text(action))
                .is(action != RecoveryActions.NONE, gpu);
    }

    private static void memory(GpuDraft gpu, GpuPoll poll) {
        // Not supported while there are MIG instances: then what was read before stays.
        poll.rowRemap().ifPresent(rows -> rowRemap(gpu, rows));
        poll.banks()
                .ifPresent(banks -> condition(
                                "row_remap_spares_low",
                                HealthState.DEGRADED,
                                HealthAction.NONE,
                                "banks of memory have few spare rows left or none")
                        .is(banks.low() > 0 || banks.none() > 0, gpu));
        GpuPoll.Memory memory = poll.memory();
        memory.isSramThresholdExceeded()
                .ifPresent(is -> forLife(
                                "sram_threshold_exceeded", "more uncorrectable errors in SRAM than the GPU's limit")
                        .is(is, gpu));
        memory.isUnrepairable()
                .ifPresent(is -> forLife("memory_unrepairable", "the GPU has memory that cannot be repaired")
                        .is(is, gpu));
        memory.isRepairPending()
                .ifPresent(is -> condition(
                                "repair_pending",
                                HealthState.DEGRADED,
                                HealthAction.DRAIN_AND_RESET,
                                "a repair of a memory channel or processing cluster waits for a reset")
                        .is(is, gpu));
    }

    private static void rowRemap(GpuDraft gpu, RowRemap rows) {
        condition(
                        "row_remap_pending",
                        HealthState.DEGRADED,
                        HealthAction.DRAIN_AND_RESET,
                        "a memory row is remapped at the next reset")
                .is(rows.pending(), gpu);
        forLife(
                        "row_remap_failed",
                        "a memory row could not be remapped; rows remapped for uncorrectable errors: "
                                + rows.uncorrectable())
                .is(rows.failed(), gpu);
    }

    private static void migMode(GpuDraft gpu, Optional<Boolean> isPending) {
        isPending.ifPresent(is -> condition(
                        "mig_mode_pending",
                        HealthState.WARN,
                        HealthAction.DRAIN_AND_RESET,
                        "the MIG mode that was asked for waits for a reset")
                .is(is, gpu));
    }

    /** An instance that is gone takes the faults of its programs along; what the hardware has, the whole GPU has. */
    private static void instances(GpuDraft gpu, Optional<Map<Integer, String>> now) {
        if (now.isEmpty() || now.get().equals(gpu.instances)) {
            return;
        }
        gpu.instances = now.get();
        for (Problem problem : gpu.problems().open().toList()) {
            int gi = problem.key().gi();
            boolean isThere = gi < 0
                    || (now.get().containsKey(gi)
                            && (problem.instance().isEmpty()
                                    || problem.instance().equals(now.get().get(gi))));
            if (!isThere) {
                gpu.put(
                        problem.clearsOn() == ClearsOn.QUIET
                                ? problem.draft()
                                        .cleared(gpu.at(), "its MIG instance is gone")
                                        .build()
                                : problem.draft()
                                        .key(problem.key().ofWholeGpu())
                                        .build());
            }
        }
    }

    static Condition condition(String code, HealthState state, HealthAction action, String text) {
        return new Condition(code, "", new Effect(state, action), ClearsOn.FLAG, HealthSource.NVML_POLL, text);
    }

    private static Condition forLife(String code, String text) {
        return new Condition(
                code,
                "",
                new Effect(HealthState.CRITICAL, HealthAction.RMA_CHECK),
                ClearsOn.ACKNOWLEDGEMENT,
                HealthSource.NVML_POLL,
                text);
    }
}
