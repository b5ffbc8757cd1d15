// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import io.gpuagent.health.fold.Effect;
import io.gpuagent.health.fold.GpuFacts;
import io.gpuagent.health.fold.Memories;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.Problem;
import io.gpuagent.health.fold.ProblemKey;
import io.gpuagent.health.fold.XidTally;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads what {@link FactsWriter} wrote. A batch counts as a whole or not at all; what is damaged is left out and counted. */
final class FactsReader {
    private static final int MAX_PROCESSES = 16;
    private static final int MAX_RELATED = 16;

    private final Moment now;
    private final Memories memories = new Memories();
    private final List<StoreLine> batch = new ArrayList<>();
    private boolean isBatchDamaged;
    private long revision;
    private int batches;
    private int damaged;
    private int end;

    FactsReader(Moment now) {
        this.now = now;
    }

    /** Goes through a whole file. */
    void read(byte[] bytes) {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                line(bytes, start, i);
                start = i + 1;
            }
        }
        // What has no end was being written when the process or the machine stopped, and so was a batch without
        // position.
    }

    private void line(byte[] bytes, int start, int lineEnd) {
        Optional<StoreLine> line = StoreLine.parse(bytes, start, lineEnd);
        if (line.isEmpty()) {
            isBatchDamaged = true;
            return;
        }
        batch.add(line.get());
        if (line.get().kind() != FactsWriter.POSITION) {
            return;
        }
        if (isBatchDamaged || !isTaken()) {
            damaged++;
        } else {
            batches++;
        }
        end = lineEnd + 1;
        isBatchDamaged = false;
        batch.clear();
    }

    /** Reads all lines before any of them counts. */
    private boolean isTaken() {
        try {
            List<Runnable> changes = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                changes.add(change(i));
            }
            changes.forEach(Runnable::run);
            return true;
        } catch (Fields.Unfit otherVersion) {
            return false;
        }
    }

    private Runnable change(int i) throws Fields.Unfit {
        StoreLine line = batch.get(i);
        Fields fields = new Fields(line.fields());
        return switch (line.kind()) {
            case FactsWriter.NEW_BOOT -> memories::newBoot;
            case FactsWriter.FORGET -> {
                String key = fields.text();
                yield () -> memories.forget(key);
            }
            case FactsWriter.GPU -> gpu(fields);
            case FactsWriter.TALLY -> {
                String key = fields.text();
                int code = fields.count();
                XidTally tally = new XidTally(fields.number(), fields.yes(), moment(fields.instant()));
                yield () -> memories.tally(key, code, tally);
            }
            case FactsWriter.PROBLEM -> {
                String owner = fields.text();
                Problem problem = problem(fields, i);
                yield () -> memories.problem(owner, problem);
            }
            case FactsWriter.EVENT -> {
                HealthEvent event = event(fields);
                yield () -> memories.event(event);
            }
            case FactsWriter.POSITION -> position(fields);
            // Names belong to the problem before them; other kinds to a version to come.
            default -> () -> {};
        };
    }

    private Runnable position(Fields fields) throws Fields.Unfit {
        String boot = fields.text();
        long sequence = fields.number();
        long nextProblem = fields.number();
        long nextEvent = fields.number();
        long written = fields.number();
        return () -> {
            memories.position(boot, sequence, nextProblem, nextEvent);
            revision = written;
        };
    }

    private Runnable gpu(Fields fields) throws Fields.Unfit {
        String key = fields.text();
        Optional<PciAddress> pci = pci(fields.text());
        String action = fields.text();
        Optional<Moment> recoveryAt = fields.maybe().map(this::moment);
        Optional<Moment> reset = fields.maybe().map(this::moment);
        Optional<Moment> pending = fields.maybe().map(this::moment);
        GpuFacts.Recovery recovery = recoveryAt.isPresent() && !action.isEmpty()
                ? new GpuFacts.Recovery(new Fields(List.of(action)).count(), recoveryAt.get())
                : null;
        return () -> memories.gpu(key, pci, recovery, reset, pending);
    }

    private static Optional<PciAddress> pci(String text) throws Fields.Unfit {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Fields parts = new Fields(List.of(text.split(":", -1)));
        return Optional.of(new PciAddress(parts.count(), parts.count(), parts.count()));
    }

    private Problem problem(Fields fields, int line) throws Fields.Unfit {
        long id = fields.number();
        ProblemKey key = new ProblemKey(fields.text(), fields.count(), fields.count(), fields.text());
        int xid = fields.count();
        String boot = fields.text();
        Effect said = effect(fields.text());
        Effect is = effect(fields.text());
        Effect worst = effect(fields.text());
        ClearsOn clearsOn = fields.of(ClearsOn.class);
        boolean asks = fields.yes();
        String text = fields.text();
        String instance = fields.text();
        Moment first = moment(fields.instant());
        Moment last = moment(fields.instant());
        long count = fields.number();
        boolean isAtLeast = fields.yes();
        boolean isLive = fields.yes();
        Set<HealthSource> sources = sources(fields.text());
        String mps = fields.text();
        Optional<Moment> clearedAt = fields.maybe().map(this::moment);
        String clearedBy = fields.text();
        Optional<Instant> ackAt = fields.maybe();
        String who = fields.text();
        String why = fields.text();
        Map<String, Integer> related = related(fields.text());
        int processes = fields.count();
        return new Problem(
                id,
                key,
                xid,
                boot,
                said,
                is,
                worst,
                clearsOn,
                asks,
                text,
                instance,
                first,
                last,
                count,
                isAtLeast,
                isLive,
                sources,
                processes(line, processes),
                mps.isEmpty() ? Optional.empty() : Optional.of(mps),
                related,
                clearedAt.map(at -> new Problem.Cleared(at, clearedBy)),
                ackAt.map(at -> new Acknowledgement(who, at, why)));
    }

    private List<AffectedProcess> processes(int line, int count) throws Fields.Unfit {
        List<AffectedProcess> processes = new ArrayList<>();
        for (int i = line + 1; i <= line + Math.min(count, MAX_PROCESSES) && i < batch.size(); i++) {
            Fields fields = new Fields(batch.get(i).fields());
            fields.text();
            fields.number();
            long pid = fields.number();
            String name = fields.text();
            processes.add(new AffectedProcess(pid, name.isEmpty() ? Optional.empty() : Optional.of(name)));
        }
        return processes;
    }

    private static Set<HealthSource> sources(String text) throws Fields.Unfit {
        EnumSet<HealthSource> sources = EnumSet.noneOf(HealthSource.class);
        for (String name : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            sources.add(new Fields(List.of(name)).of(HealthSource.class));
        }
        return Set.copyOf(sources);
    }

    private static Map<String, Integer> related(String text) throws Fields.Unfit {
        Map<String, Integer> related = new TreeMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(",", MAX_RELATED + 1)) {
            int equals = entry.lastIndexOf('=');
            if (equals < 0) {
                throw new Fields.Unfit("no count: " + entry);
            }
            related.put(entry.substring(0, equals), new Fields(List.of(entry.substring(equals + 1))).count());
        }
        return Map.copyOf(related);
    }

    private static Effect effect(String text) throws Fields.Unfit {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new Fields.Unfit("no effect: " + text);
        }
        Fields parts = new Fields(List.of(text.substring(0, slash), text.substring(slash + 1)));
        return new Effect(parts.of(HealthState.class), parts.of(HealthAction.class));
    }

    private HealthEvent event(Fields fields) throws Fields.Unfit {
        return new HealthEvent(
                fields.number(),
                fields.instant(),
                fields.of(HealthEvent.Kind.class),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.of(HealthState.class),
                fields.text());
    }

    /** What lies ahead of the clock was written under a wrong one: it was just now, for nothing may have a negative age. */
    private Moment moment(Instant wall) {
        long age = Math.max(0, Duration.between(wall, now.wall()).toNanos());
        return now.minusNanos(age);
    }

    NodeFacts facts() {
        return memories.facts(revision);
    }

    /** Batches that were read. */
    int batches() {
        return batches;
    }

    /** Batches that were left out. */
    int damaged() {
        return damaged;
    }

    /** Where the last whole batch ends. */
    int end() {
        return end;
    }
}
