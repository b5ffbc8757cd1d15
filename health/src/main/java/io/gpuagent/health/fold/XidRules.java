// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.catalogue.XidMeaning;
import io.gpuagent.health.line.KernelLine;
import io.gpuagent.health.line.XidMessage;
import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Xids, from the kernel's log and from NVML's events, into incidents: bursts and not lines, each counted once. */
final class XidRules {
    /** A burst ends when nothing more came for so long. */
    static final Duration BURST = Duration.ofMinutes(3);
    /** So close behind another error comes what follows from it. */
    private static final Duration FOLLOWS = Duration.ofSeconds(10);
    /** Details and the new recovery action may take longer. */
    private static final Duration DETAILS = Duration.ofMinutes(1);

    private static final int PREEMPTIVE = 45;
    private static final int RECOVERY_ACTION = 154;
    private static final int UNKNOWN_TO_NVML = 999;
    private static final int PROGRAMS_AT_ONE_PLACE = 3;
    private static final int OFF_BUS = 79;

    private final XidCatalogue catalogue;
    private final Effects effects;

    XidRules(XidCatalogue catalogue, Effects effects) {
        this.catalogue = catalogue;
        this.effects = effects;
    }

    /** One report of an Xid. */
    private record Report(
            int code,
            int gi,
            int ci,
            Optional<AffectedProcess> process,
            String text,
            HealthSource source,
            String boot) {}

    void line(GpuDraft gpu, KernelLine.Xid line, HealthSource source, String boot) {
        Optional<AffectedProcess> process = line.pid().isPresent()
                ? Optional.of(new AffectedProcess(line.pid().getAsLong(), line.process()))
                : Optional.empty();
        report(
                gpu,
                new Report(
                        line.code(),
                        line.gpuInstance().orElse(-1),
                        line.computeInstance().orElse(-1),
                        process,
                        line.message(),
                        source,
                        boot));
    }

    void event(GpuDraft gpu, int code, OptionalInt gi, OptionalInt ci) {
        String boot = gpu.node().boot;
        report(
                gpu,
                new Report(code, gi.orElse(-1), ci.orElse(-1), Optional.empty(), "", HealthSource.NVML_EVENT, boot));
    }

    private void report(GpuDraft gpu, Report report) {
        if (report.code() == 0) {
            return;
        }
        XidMessage message = XidMessage.of(report.code(), report.text());
        XidMeaning meaning = catalogue.xid(report.code(), message, gpu.node().driver);
        String what = meaning.engine().orElse(String.valueOf(report.code()));
        boolean isJournal = report.source() == HealthSource.JOURNAL;
        if (isJournal && isKnown(gpu, report)) {
            return;
        }
        Optional<Sightings.Sighting> match = isJournal
                ? Optional.empty()
                : gpu.sightings.match(
                        report.source(), what, report.gi(), gpu.at().nanos());
        boolean isNamedNow = false;
        if (match.isPresent()) {
            gpu.sightings = gpu.sightings.without(match.get());
            Optional<Problem> same = gpu.problems().byId(match.get().problem());
            isNamedNow = match.get().what().equals(Sightings.ANY) && report.code() != UNKNOWN_TO_NVML;
            if (!isNamedNow) {
                same.ifPresent(problem -> enrich(gpu, problem, report, meaning));
                return;
            }
            same.ifPresent(problem -> gpu.put(problem.draft()
                    .cleared(gpu.at(), "the kernel's log names it: Xid " + report.code())
                    .build()));
        }
        long problem = problem(gpu, report, message, meaning, isNamedNow);
        if (!isJournal) {
            gpu.count(report.code());
            if (!isNamedNow) {
                gpu.sightings = gpu.sightings.with(
                        report.source(), what, report.gi(), problem, gpu.at().nanos());
            }
        }
        effects.weigh(gpu);
    }

    /** What the journal tells of the boot before may have been seen when it happened. */
    private static boolean isKnown(GpuDraft gpu, Report report) {
        long at = gpu.at().nanos();
        return gpu.problems().all().stream()
                .anyMatch(problem -> problem.xid() == report.code()
                        && problem.sources().contains(HealthSource.KMSG)
                        && at >= problem.first().nanos() - Sightings.WINDOW
                        && at <= problem.last().nanos() + Sightings.WINDOW);
    }

    /** The other source tells of the same error: nothing is counted, and what it knows more is kept. */
    private void enrich(GpuDraft gpu, Problem problem, Report report, XidMeaning meaning) {
        Problem.Draft more = problem.draft().seen(gpu.at(), 0, report.source()).process(report.process());
        if (problem.text().isEmpty() && !report.text().isEmpty()) {
            more.text(report.text())
                    .said(new Effect(meaning.state(), meaning.action()))
                    .clearsOn(meaning.clearsOn(), meaning.asksGpu());
        }
        if (problem.key().gi() < 0 && report.gi() >= 0) {
            more.key(new ProblemKey(
                            problem.key().code(),
                            report.gi(),
                            report.ci(),
                            problem.key().part()))
                    .instance(gpu.instances.getOrDefault(report.gi(), ""));
        }
        gpu.put(more.mps(mps(gpu, report)).build());
        effects.weigh(gpu);
    }

    /** Finds or begins the problem that a report belongs to; -1 where it belongs to none of its own. */
    private long problem(GpuDraft gpu, Report report, XidMessage message, XidMeaning meaning, boolean isNvmlToo) {
        if (message instanceof XidMessage.RecoveryAction change) {
            announced(gpu, change);
        }
        Optional<Problem> root = root(gpu, report.code(), message, meaning);
        if (root.isPresent()) {
            gpu.put(root.get()
                    .draft()
                    .related("xid_" + report.code())
                    .process(report.process())
                    .build());
            return root.get().id();
        }
        ProblemKey key = new ProblemKey("xid_" + report.code(), report.gi(), report.ci(), part(message));
        Optional<Problem> same = gpu.problems().latest(problem -> problem.key().equals(key));
        boolean isBurst =
                same.filter(problem -> !gpu.at().isPast(problem.last(), BURST)).isPresent();
        if (same.isPresent() && isBurst) {
            gpu.put(again(gpu, same.get(), report, message));
            return same.get().id();
        }
        Problem.Draft begun = Problem.begin(gpu.node().nextProblemId(), key, report.boot(), gpu.at())
                .xid(report.code())
                .said(new Effect(meaning.state(), meaning.action()))
                .clearsOn(meaning.clearsOn(), meaning.asksGpu())
                .text(report.text())
                .instance(gpu.instances.getOrDefault(report.gi(), ""))
                .process(report.process())
                .mps(mps(gpu, report))
                .seen(gpu.at(), 1, report.source());
        Problem problem = (isNvmlToo ? begun.seen(gpu.at(), 0, HealthSource.NVML_EVENT) : begun).build();
        same.ifPresent(old -> gpu.put(old.draft()
                .cleared(gpu.at(), "it came again, as incident " + problem.id())
                .build()));
        gpu.put(problem);
        if (report.code() == OFF_BUS) {
            gpu.problems()
                    .open(KernelRules.OFF_BUS)
                    .ifPresent(old -> gpu.put(old.draft()
                            .cleared(gpu.at(), "Xid 79 tells the same, as incident " + problem.id())
                            .build()));
        }
        place(gpu, problem, report, message);
        return problem.id();
    }

    private Problem again(GpuDraft gpu, Problem problem, Report report, XidMessage message) {
        Problem more = problem.acknowledged().isEmpty()
                ? problem
                : problem.draft().acknowledged(Optional.empty()).build();
        Problem seen = more.seen(gpu.at(), 1, report.source(), report.process());
        if (message instanceof XidMessage.Place) {
            gpu.put(seen);
            place(gpu, seen, report, message);
            return gpu.problems().byId(seen.id()).orElse(seen);
        }
        return seen;
    }

    /** The same place of the chip under one program after the other is the chip, not the programs. */
    private static void place(GpuDraft gpu, Problem problem, Report report, XidMessage message) {
        if (message instanceof XidMessage.Place(String place)
                && report.process().isPresent()) {
            int programs = gpu.programsAt(place, report.process().get().pid());
            if (programs >= PROGRAMS_AT_ONE_PLACE) {
                gpu.put(problem.draft()
                        .said(new Effect(HealthState.DEGRADED, HealthAction.RMA_CHECK))
                        .text("exceptions at " + place + " under " + programs + " different programs")
                        .build());
            }
        }
    }

    private static void announced(GpuDraft gpu, XidMessage.RecoveryAction change) {
        boolean isNewer = gpu.recovery
                .filter(known -> known.at().nanos() > gpu.at().nanos())
                .isEmpty();
        if (isNewer) {
            gpu.recovery = Optional.of(new GpuFacts.Recovery(change.to(), gpu.at()));
            PollRules.recoveryAction(gpu, change.to(), HealthSource.KMSG);
        }
    }

    /** What follows from another error, by its own words or by coming right behind it. */
    private static Optional<Problem> root(GpuDraft gpu, int code, XidMessage message, XidMeaning meaning) {
        if (message instanceof XidMessage.CausedBy(int root)) {
            return gpu.problems().latest(problem -> problem.xid() == root);
        }
        if (code == PREEMPTIVE) {
            return gpu.problems()
                    .latest(problem -> problem.xid() >= 0
                            && problem.xid() != PREEMPTIVE
                            && problem.said().state() != HealthState.OK
                            && !gpu.at().isPast(problem.last(), FOLLOWS));
        }
        if (code == RECOVERY_ACTION) {
            return gpu.problems()
                    .latest(problem -> problem.xid() >= 0
                            && problem.xid() != RECOVERY_ACTION
                            && problem.asksGpu()
                            && !gpu.at().isPast(problem.last(), DETAILS));
        }
        if (meaning.follows().isPresent()) {
            int root = meaning.follows().getAsInt();
            return gpu.problems()
                    .latest(problem -> problem.xid() == root && !gpu.at().isPast(problem.last(), DETAILS));
        }
        return Optional.empty();
    }

    private static String part(XidMessage message) {
        return message instanceof XidMessage.Nvlink nvlink && nvlink.link().isPresent()
                ? "link " + nvlink.link().getAsInt()
                : "";
    }

    private static Optional<String> mps(GpuDraft gpu, Report report) {
        return report.process()
                .map(AffectedProcess::pid)
                .flatMap(pid -> Optional.ofNullable(gpu.node().mpsServers.get(pid)));
    }
}
