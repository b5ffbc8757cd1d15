// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Ends problems by evidence; never by time alone, for a GPU that does not answer is not getting better. */
final class Clearing {
    /** How long nothing more may have come. */
    static final Duration QUIET = Duration.ofMinutes(10);

    static final String BY_RESET = ClearsOn.RESET.sentence();

    private Clearing() {}

    /** Goes over a GPU's problems behind a reading. */
    static void afterReading(GpuDraft gpu, Optional<Boolean> isRemapPending) {
        if (isRemapPending.orElse(false)) {
            gpu.remapPendingSeen = Optional.of(gpu.at());
        }
        boolean isClean = gpu.lastClean.filter(gpu.at()::equals).isPresent();
        if (!isClean) {
            return;
        }
        List<Problem> open =
                gpu.problems().open().filter(problem -> !problem.isLive()).toList();
        for (Problem problem : open) {
            evidence(problem, gpu, isRemapPending)
                    .ifPresent(what ->
                            gpu.put(problem.draft().cleared(gpu.at(), what).build()));
        }
    }

    private static Optional<String> evidence(Problem problem, GpuDraft gpu, Optional<Boolean> isRemapPending) {
        boolean isQuiet = gpu.at().isPast(problem.last(), QUIET);
        boolean isReset = gpu.reset
                .filter(reset -> reset.nanos() > problem.last().nanos())
                .isPresent();
        boolean isNewBoot = !problem.boot().equals(gpu.node().boot);
        boolean isContradicted = problem.now().state().compareTo(problem.said().state()) < 0
                || problem.now().state().compareTo(HealthState.WARN) <= 0;
        return switch (problem.clearsOn()) {
            case QUIET -> isQuiet ? Optional.of(ClearsOn.QUIET.sentence()) : Optional.empty();
            case REMAP -> {
                boolean wasPending = gpu.remapPendingSeen
                        .filter(seen -> seen.nanos() >= problem.first().nanos())
                        .isPresent();
                boolean isRemapped = isRemapPending.isPresent() && !isRemapPending.get() && (wasPending || isQuiet);
                yield isRemapped
                        ? Optional.of(ClearsOn.REMAP.sentence())
                        : isReset && !isRemapPending.orElse(false) ? Optional.of(BY_RESET) : Optional.empty();
            }
            case RESET ->
                isReset
                        ? Optional.of(BY_RESET)
                        : isContradicted && isQuiet
                                ? Optional.of("the GPU asks for nothing, and " + ClearsOn.QUIET.sentence())
                                : Optional.empty();
            case REBOOT ->
                isNewBoot
                        ? Optional.of(ClearsOn.REBOOT.sentence())
                        : isContradicted && isQuiet
                                ? Optional.of("the GPU goes on answering, " + ClearsOn.QUIET.sentence())
                                : Optional.empty();
            case FLAG, ACKNOWLEDGEMENT -> Optional.empty();
        };
    }

    /** Goes over the node's own problems as time passes: of those that are no readings, only quiet ends any. */
    static void ofNode(Draft node) {
        List<Problem> quiet = node.problems()
                .open()
                .filter(problem -> !problem.isLive()
                        && problem.clearsOn() != ClearsOn.ACKNOWLEDGEMENT
                        && problem.clearsOn() != ClearsOn.FLAG)
                .filter(problem ->
                        node.at.isPast(problem.last(), QUIET) || !problem.boot().equals(node.boot))
                .toList();
        for (Problem problem : quiet) {
            boolean isNewBoot = !problem.boot().equals(node.boot);
            boolean isOver = problem.clearsOn() == ClearsOn.QUIET || isNewBoot;
            if (isOver) {
                String by = isNewBoot ? ClearsOn.REBOOT.sentence() : "ten minutes without another one";
                node.put(problem.draft().cleared(node.at, by).build());
            }
        }
    }
}
