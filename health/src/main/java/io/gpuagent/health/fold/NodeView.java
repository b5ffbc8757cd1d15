// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthScope;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import io.gpuagent.model.health.XidCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Shows facts as verdicts and incidents. Times of day are worked out anew each time: the clock may have been set since. */
public final class NodeView {
    private static final int MAX_INCIDENTS = 200;
    private static final String NOT_READ_YET = "not_read_yet";
    private static final Comparator<HealthReason> WORST_FIRST = Comparator.comparing(
                    (HealthReason reason) -> reason.acknowledged().isPresent())
            .thenComparing(HealthReason::state, Comparator.reverseOrder())
            .thenComparing(HealthReason::action, Comparator.reverseOrder())
            .thenComparing(HealthReason::since);

    private final XidCatalogue catalogue;
    private final NodeFacts facts;
    private final Moment now;

    private NodeView(XidCatalogue catalogue, NodeFacts facts, Moment now) {
        this.catalogue = catalogue;
        this.facts = facts;
        this.now = now;
    }

    /**
     * Shows facts.
     *
     * @param facts the facts
     * @param now the present moment
     * @param catalogue what Xids mean
     * @return the view
     */
    public static NodeHealth of(NodeFacts facts, Moment now, XidCatalogue catalogue) {
        return new NodeView(catalogue, facts, now).node();
    }

    private NodeHealth node() {
        List<Verdict> gpus = facts.gpus().values().stream()
                .sorted(Comparator.comparing((GpuFacts gpu) ->
                                gpu.pci().map(PciAddress::busId).orElse("~"))
                        .thenComparing(GpuFacts::key))
                .map(this::gpu)
                .toList();
        List<HealthReason> reasons = new ArrayList<>(reasons(facts.problems(), HealthScope.NODE));
        if (isLogUnheard()) {
            reasons.add(unheard(NodeRules.NO_XIDS, "the kernel's log has not been read yet", HealthScope.NODE));
        }
        reasons.sort(WORST_FIRST);
        Effect worst = worst(reasons);
        for (Verdict gpu : gpus) {
            worst = worst.worse(new Effect(gpu.state(), gpu.action()));
        }
        return new NodeHealth(
                now.wall(), worst.state(), worst.action(), gpus, reasons, sources(), incidents(), catalogue.version());
    }

    private Verdict gpu(GpuFacts gpu) {
        HealthScope scope = HealthScope.gpu(gpu.key());
        List<HealthReason> reasons = new ArrayList<>(reasons(gpu.problems(), scope));
        if (gpu.lastRead().isEmpty()) {
            reasons.add(unheard(NOT_READ_YET, "the GPU has not been read yet", scope));
        }
        // A GPU of which nobody would hear is not well: what is missing there is missing for each of them.
        facts.problems().open(NodeRules.NO_XIDS).ifPresent(problem -> reasons.add(reason(problem, HealthScope.NODE)));
        if (isLogUnheard()) {
            reasons.add(unheard(NodeRules.NO_XIDS, "the kernel's log has not been read yet", HealthScope.NODE));
        }
        reasons.sort(WORST_FIRST);
        Effect worst = worst(reasons);
        List<XidCount> xids = gpu.xids().entrySet().stream()
                .map(entry -> new XidCount(
                        entry.getKey(),
                        entry.getValue().count(),
                        entry.getValue().isAtLeast(),
                        now.wallOf(entry.getValue().last())))
                .toList();
        return new Verdict(gpu.key(), gpu.pci().map(PciAddress::busId), worst.state(), worst.action(), reasons, xids);
    }

    private boolean isLogUnheard() {
        SourceFacts log = facts.sources().getOrDefault(Sources.KERNEL_LOG, SourceFacts.SILENT);
        return log.state() == SourceStatus.State.STARTING;
    }

    private static Effect worst(List<HealthReason> reasons) {
        Effect worst = Effect.NONE;
        for (HealthReason reason : reasons) {
            boolean counts = reason.acknowledged().isEmpty();
            worst = counts ? worst.worse(new Effect(reason.state(), reason.action())) : worst;
        }
        return worst;
    }

    private HealthReason unheard(String code, String sentence, HealthScope scope) {
        return new HealthReason(
                code,
                sentence,
                HealthState.UNKNOWN,
                HealthAction.NONE,
                ClearsOn.FLAG,
                scope,
                "",
                Set.of(HealthSource.AGENT),
                now.wall(),
                now.wall(),
                0,
                false,
                Optional.empty());
    }

    /** What only informs is an incident and no reason. */
    private List<HealthReason> reasons(Problems problems, HealthScope scope) {
        return problems.open()
                .filter(problem -> problem.now().state() != HealthState.OK)
                .map(problem -> reason(problem, scope))
                .toList();
    }

    private HealthReason reason(Problem problem, HealthScope owner) {
        return new HealthReason(
                problem.key().code(),
                sentence(problem),
                problem.now().state(),
                problem.now().action(),
                clearsOn(problem),
                scope(problem, owner),
                String.valueOf(problem.id()),
                problem.sources(),
                now.wallOf(problem.first()),
                now.wallOf(problem.last()),
                problem.count(),
                problem.isAtLeast(),
                // A reading that says so right now counts, whoever has acknowledged it.
                problem.counts() ? Optional.empty() : problem.acknowledged());
    }

    /** What the GPU does not bear out goes without a reset, too. */
    private static ClearsOn clearsOn(Problem problem) {
        boolean wantsReset = problem.clearsOn() == ClearsOn.RESET || problem.clearsOn() == ClearsOn.REBOOT;
        return wantsReset && isMilder(problem) ? ClearsOn.QUIET : problem.clearsOn();
    }

    private static boolean isMilder(Problem problem) {
        return problem.now().state().compareTo(problem.said().state()) < 0;
    }

    private String sentence(Problem problem) {
        if (problem.xid() < 0) {
            return problem.text();
        }
        String meaning =
                "Xid " + problem.xid() + ": " + catalogue.xid(problem.xid()).text();
        String doubt = isMilder(problem) ? "; the GPU answers and asks for nothing" : "";
        return meaning
                + problem.mps().map(id -> ", in a server of MPS daemon " + id).orElse("")
                + doubt;
    }

    private static HealthScope scope(Problem problem, HealthScope owner) {
        return new HealthScope(
                owner.gpu(), number(problem.key().gi()), number(problem.key().ci()));
    }

    private static OptionalInt number(int id) {
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    private List<SourceStatus> sources() {
        return facts.sources().entrySet().stream()
                .map(entry -> new SourceStatus(
                        entry.getKey(),
                        entry.getValue().state(),
                        entry.getValue().detail(),
                        entry.getValue().received(),
                        entry.getValue().lost(),
                        entry.getValue().refused()))
                .toList();
    }

    private List<Incident> incidents() {
        List<Incident> all = new ArrayList<>();
        facts.problems().all().forEach(problem -> all.add(incident(problem, HealthScope.NODE)));
        facts.gpus()
                .values()
                .forEach(gpu -> gpu.problems()
                        .all()
                        .forEach(problem -> all.add(incident(problem, HealthScope.gpu(gpu.key())))));
        all.sort(Comparator.comparing(Incident::isOpen)
                .thenComparingLong(incident -> Long.parseLong(incident.id()))
                .reversed());
        return all.subList(0, Math.min(all.size(), MAX_INCIDENTS));
    }

    private Incident incident(Problem problem, HealthScope owner) {
        return new Incident(
                String.valueOf(problem.id()),
                problem.key().code(),
                scope(problem, owner),
                problem.worst().state(),
                problem.worst().action(),
                problem.clearsOn(),
                problem.text(),
                now.wallOf(problem.first()),
                now.wallOf(problem.last()),
                problem.count(),
                problem.isAtLeast(),
                problem.sources(),
                problem.processes(),
                problem.mps(),
                problem.related().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> entry.getKey() + " x" + entry.getValue())
                        .toList(),
                problem.cleared().map(end -> now.wallOf(end.at())),
                problem.cleared().map(Problem.Cleared::by),
                problem.acknowledged());
    }
}
