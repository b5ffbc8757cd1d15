// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an Xid comes to once the GPU itself was asked. The order of belief: the recovery action that the GPU reports, then
 * what it answers, then the table.
 */
final class Effects {
    /** A reading that says "nothing" may have begun before the error. */
    private static final Duration SETTLED = Duration.ofSeconds(1);
    /** So long may a GPU that has left the bus go on answering from the driver's memory. */
    private static final Duration PROBED = Duration.ofSeconds(5);
    /** The same error after this many resets is no accident. */
    private static final int RESETS_IN_VAIN = 2;

    private final XidCatalogue catalogue;

    Effects(XidCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    void weigh(GpuDraft gpu) {
        List<Problem> open =
                gpu.problems().open().filter(problem -> problem.xid() >= 0).toList();
        for (Problem problem : open) {
            Effect now = effect(problem, gpu);
            if (!now.equals(problem.now())) {
                gpu.put(problem.draft().now(now).build());
            }
        }
    }

    private Effect effect(Problem problem, GpuDraft gpu) {
        Effect effect = problem.said();
        if (problem.asksGpu()) {
            effect = byRecoveryAction(problem, gpu.recovery).orElse(effect);
        } else if (catalogue.xid(problem.xid()).mayBeContradicted() && answersSince(problem, gpu)) {
            effect = new Effect(HealthState.DEGRADED, HealthAction.NONE);
        }
        boolean isInVain =
                problem.said().action() == HealthAction.DRAIN_AND_RESET && resetsInVain(problem, gpu) >= RESETS_IN_VAIN;
        return isInVain ? effect.worse(new Effect(HealthState.DEGRADED, HealthAction.RMA_CHECK)) : effect;
    }

    private static Optional<Effect> byRecoveryAction(Problem problem, Optional<GpuFacts.Recovery> recovery) {
        if (recovery.isEmpty() || !RecoveryActions.outranks(recovery.get().action())) {
            return Optional.empty();
        }
        int action = recovery.get().action();
        if (action != RecoveryActions.NONE) {
            boolean isLater = recovery.get().at().nanos() >= problem.first().nanos();
            return isLater ? Optional.of(RecoveryActions.effect(action)) : Optional.empty();
        }
        HealthState mildest = problem.said().state().compareTo(HealthState.WARN) < 0
                ? problem.said().state()
                : HealthState.WARN;
        return recovery.get().at().isPast(problem.first(), SETTLED)
                ? Optional.of(new Effect(mildest, HealthAction.NONE))
                : Optional.empty();
    }

    private static boolean answersSince(Problem problem, GpuDraft gpu) {
        return gpu.lastClean
                .filter(clean -> clean.isPast(problem.last(), PROBED))
                .isPresent();
    }

    private static long resetsInVain(Problem problem, GpuDraft gpu) {
        return gpu.problems().all().stream()
                .filter(old -> old.xid() == problem.xid() && old.id() < problem.id())
                .filter(old -> old.cleared()
                        .filter(end -> end.by().equals(Clearing.BY_RESET))
                        .isPresent())
                .count();
    }
}
