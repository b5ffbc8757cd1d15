// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthEvent.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The facts in the making, while one observation is folded in. What is not touched is not copied. */
final class Draft implements ProblemOwner {
    private final NodeFacts before;
    final Moment at;

    String boot;
    long sequence;
    Optional<String> driver;
    Map<Long, String> mpsServers;
    Map<String, Integer> streaks;
    private Problems problems;
    private long nextProblem;
    private long nextEvent;
    private boolean isWorthStoring;
    private @Nullable Map<String, GpuDraft> touched;
    private @Nullable Map<PciAddress, String> keys;
    private @Nullable List<HealthEvent> events;
    private @Nullable Map<String, SourceFacts> sources;

    Draft(NodeFacts before, Moment at) {
        this.before = before;
        this.at = at;
        this.boot = before.boot();
        this.sequence = before.sequence();
        this.driver = before.driver();
        this.mpsServers = before.mpsServers();
        this.streaks = before.streaks();
        this.problems = before.problems();
        this.nextProblem = before.nextProblem();
        this.nextEvent = before.nextEvent();
    }

    NodeFacts build() {
        Map<String, GpuFacts> gpus = before.gpus();
        if (touched != null) {
            gpus = new TreeMap<>(gpus);
            for (GpuDraft gpu : touched.values()) {
                if (gpu.isForgotten()) {
                    gpus.remove(gpu.key());
                } else {
                    gpus.put(gpu.key(), gpu.build());
                }
            }
        }
        return new NodeFacts(
                before.revision() + (isWorthStoring ? 1 : 0),
                boot,
                sequence,
                nextProblem,
                nextEvent,
                gpus,
                keys == null ? before.keys() : keys,
                problems,
                events == null ? before.events() : List.copyOf(events),
                sources == null ? before.sources() : sources,
                driver,
                mpsServers,
                streaks);
    }

    @Override
    public Draft node() {
        return this;
    }

    void worthStoring() {
        isWorthStoring = true;
    }

    @Override
    public Problems problems() {
        return problems;
    }

    long nextProblemId() {
        return nextProblem++;
    }

    /** The GPU of this key; it is made where it is not known. */
    GpuDraft gpu(String key) {
        if (touched == null) {
            touched = new HashMap<>();
        }
        GpuDraft known = touched.get(key);
        if (known != null) {
            return known;
        }
        GpuFacts facts = before.gpus().get(key);
        if (facts == null) {
            worthStoring();
        }
        GpuDraft gpu = new GpuDraft(this, facts == null ? GpuFacts.of(key, Optional.empty()) : facts);
        touched.put(key, gpu);
        return gpu;
    }

    /** The GPU at this place; by its bus id where nobody has said which one it is. */
    GpuDraft gpuAt(PciAddress pci) {
        String key = keys().get(pci);
        if (key != null) {
            return gpu(key);
        }
        GpuDraft gpu = gpu(pci.busId());
        gpu.pci = Optional.of(pci);
        return gpu;
    }

    private Map<PciAddress, String> keys() {
        return keys == null ? before.keys() : keys;
    }

    List<String> gpuKeys() {
        return List.copyOf(before.gpus().keySet());
    }

    /** Which GPU sits where. What was known of the place by its bus id belongs to that GPU. */
    void learn(PciAddress pci, String uuid) {
        if (uuid.equals(keys().get(pci))) {
            return;
        }
        Map<PciAddress, String> more = new HashMap<>(keys());
        more.values().removeIf(uuid::equals);
        more.put(pci, uuid);
        keys = more;
        worthStoring();
        GpuDraft gpu = gpu(uuid);
        gpu.pci = Optional.of(pci);
        GpuFacts nameless = before.gpus().get(pci.busId());
        if (nameless != null) {
            gpu.inherit(nameless);
            GpuDraft old = gpu(pci.busId());
            old.forget();
        }
    }

    /** Nobody knows any more where this GPU sits. */
    void unlearn(String uuid) {
        Map<PciAddress, String> fewer = new HashMap<>(keys());
        fewer.values().removeIf(uuid::equals);
        keys = fewer;
    }

    SourceFacts source(String name) {
        return (sources == null ? before.sources() : sources).getOrDefault(name, SourceFacts.SILENT);
    }

    void source(String name, UnaryOperator<SourceFacts> change) {
        SourceFacts now = change.apply(source(name));
        if (sources == null) {
            sources = new TreeMap<>(before.sources());
        }
        sources.put(name, now);
    }

    /** How often in a row something of the node has been so. */
    int streak(String code, boolean isSo) {
        Map<String, Integer> more = new TreeMap<>(streaks);
        int length = isSo ? more.merge(code, 1, Integer::sum) : 0;
        if (!isSo) {
            more.remove(code);
        }
        streaks = more;
        return length;
    }

    @Override
    public void put(Problem problem) {
        tell(problems.byId(problem.id()), problem, "");
        problems = problems.with(problem);
    }

    /** Keeps a problem that has ended elsewhere. */
    void keep(Problem problem) {
        problems = problems.with(problem);
        worthStoring();
    }

    void tell(Optional<Problem> old, Problem problem, String gpu) {
        worthStoring();
        if (old.isEmpty()) {
            event(Kind.OPENED, problem, gpu, problem.text());
            return;
        }
        if (old.get().isOpen() && !problem.isOpen()) {
            event(Kind.CLEARED, problem, gpu, problem.cleared().orElseThrow().by());
            return;
        }
        if (old.get().acknowledged().isEmpty() && problem.acknowledged().isPresent()) {
            event(Kind.ACKNOWLEDGED, problem, gpu, problem.acknowledged().get().why());
        }
        int worse = problem.now().state().compareTo(old.get().now().state());
        boolean isNewEvidence =
                old.get().acknowledged().isPresent() && problem.acknowledged().isEmpty();
        if (worse > 0 || isNewEvidence) {
            event(Kind.RAISED, problem, gpu, problem.text());
        } else if (worse < 0) {
            event(Kind.LOWERED, problem, gpu, problem.text());
        }
    }

    private void event(Kind kind, Problem problem, String gpu, String text) {
        List<HealthEvent> more = events == null ? new ArrayList<>(before.events()) : events;
        if (more.size() == NodeFacts.MAX_EVENTS) {
            more.removeFirst();
        }
        more.add(new HealthEvent(
                nextEvent++,
                at.wall(),
                kind,
                String.valueOf(problem.id()),
                gpu,
                problem.key().code(),
                problem.now().state(),
                text));
        events = more;
    }
}
