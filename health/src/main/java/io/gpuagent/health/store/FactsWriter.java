// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import io.gpuagent.health.fold.Effect;
import io.gpuagent.health.fold.GpuFacts;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.Problem;
import io.gpuagent.health.fold.Problems;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes facts as lines: what differs from other facts, or all. A batch ends with its position (P): without that line
 * nothing of it counts, so counts and the position that they belong to are never apart.
 */
final class FactsWriter {
    static final char GPU = 'G';
    static final char FORGET = 'F';
    static final char TALLY = 'X';
    static final char PROBLEM = 'I';
    static final char EVENT = 'E';
    static final char POSITION = 'P';
    static final char NEW_BOOT = 'B';

    private final Moment now;
    private final StringBuilder out = new StringBuilder();

    FactsWriter(Moment now) {
        this.now = now;
    }

    /** The lines that make the new facts out of the old ones. */
    String batch(NodeFacts old, NodeFacts facts) {
        if (!old.boot().equals(facts.boot())) {
            line(NEW_BOOT, facts.boot());
        }
        for (String key : old.gpus().keySet()) {
            if (!facts.gpus().containsKey(key)) {
                line(FORGET, key);
            }
        }
        problems("", old.problems(), facts.problems());
        facts.gpus()
                .forEach((key, gpu) ->
                        gpu(old.boot().equals(facts.boot()), old.gpus().get(key), gpu));
        long lastKnown = old.events().isEmpty() ? 0 : old.events().getLast().number();
        facts.events().stream().filter(event -> event.number() > lastKnown).forEach(this::event);
        line(
                POSITION,
                facts.boot(),
                facts.sequence(),
                facts.nextProblem(),
                facts.nextEvent(),
                facts.revision(),
                now.wall().toEpochMilli());
        return out.toString();
    }

    private void gpu(boolean isSameBoot, @Nullable GpuFacts old, GpuFacts gpu) {
        boolean isSame = old != null
                && old.pci().equals(gpu.pci())
                && old.reset().equals(gpu.reset())
                && old.remapPendingSeen().isPresent() == gpu.remapPendingSeen().isPresent()
                && old.recovery()
                        .map(GpuFacts.Recovery::action)
                        .equals(gpu.recovery().map(GpuFacts.Recovery::action));
        if (!isSame) {
            line(
                    GPU,
                    gpu.key(),
                    gpu.pci().map(FactsWriter::pci).orElse(""),
                    gpu.recovery().map(known -> String.valueOf(known.action())).orElse(""),
                    maybe(gpu.recovery().map(GpuFacts.Recovery::at)),
                    maybe(gpu.reset()),
                    maybe(gpu.remapPendingSeen()));
        }
        problems(gpu.key(), old == null ? null : old.problems(), gpu.problems());
        gpu.xids().forEach((code, tally) -> {
            boolean isKnown =
                    isSameBoot && old != null && tally.equals(old.xids().get(code));
            if (!isKnown) {
                line(TALLY, gpu.key(), code, tally.count(), bit(tally.isAtLeast()), at(tally.last()));
            }
        });
    }

    private static String pci(PciAddress address) {
        return address.domain() + ":" + address.bus() + ":" + address.device();
    }

    private void problems(String owner, @Nullable Problems old, Problems now) {
        if (now == old) {
            return;
        }
        Map<Long, Problem> known =
                old == null ? Map.of() : old.all().stream().collect(Collectors.toMap(Problem::id, problem -> problem));
        for (Problem problem : now.all()) {
            if (!problem.equals(known.get(problem.id()))) {
                problem(owner, problem);
            }
        }
    }

    private void problem(String owner, Problem problem) {
        Optional<Acknowledgement> by = problem.acknowledged();
        line(
                PROBLEM,
                owner,
                problem.id(),
                problem.key().code(),
                problem.key().gi(),
                problem.key().ci(),
                problem.key().part(),
                problem.xid(),
                problem.boot(),
                effect(problem.said()),
                effect(problem.now()),
                effect(problem.worst()),
                problem.clearsOn(),
                bit(problem.asksGpu()),
                problem.text(),
                problem.instance(),
                at(problem.first()),
                at(problem.last()),
                problem.count(),
                bit(problem.isAtLeast()),
                bit(problem.isLive()),
                problem.sources().stream().sorted().map(HealthSource::name).collect(Collectors.joining(",")),
                problem.mps().orElse(""),
                maybe(problem.cleared().map(Problem.Cleared::at)),
                problem.cleared().map(Problem.Cleared::by).orElse(""),
                by.map(ack -> String.valueOf(ack.at().toEpochMilli())).orElse(""),
                by.map(Acknowledgement::who).orElse(""),
                by.map(Acknowledgement::why).orElse(""),
                problem.related().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .sorted()
                        .collect(Collectors.joining(",")),
                problem.processes().size());
        // Names may be anything: a line for each keeps them apart.
        for (AffectedProcess process : problem.processes()) {
            line('N', owner, problem.id(), process.pid(), process.name().orElse(""));
        }
    }

    private static String effect(Effect effect) {
        return effect.state() + "/" + effect.action();
    }

    private void event(HealthEvent event) {
        line(
                EVENT,
                event.number(),
                event.at().toEpochMilli(),
                event.kind(),
                event.incident(),
                event.gpu(),
                event.code(),
                event.state(),
                event.text());
    }

    /** By the present clock: one that was wrong when the moment was taken is right now. */
    private long at(Moment moment) {
        return Math.max(0, now.wallOf(moment).toEpochMilli());
    }

    private String maybe(Optional<Moment> moment) {
        return moment.map(is -> String.valueOf(at(is))).orElse("");
    }

    private static int bit(boolean is) {
        return is ? 1 : 0;
    }

    private void line(char kind, Object... fields) {
        StoreLine.of(kind, fields).appendTo(out);
    }
}
