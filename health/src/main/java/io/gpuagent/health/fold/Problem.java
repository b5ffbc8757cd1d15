// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.Acknowledgement;
import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One incident, as the fold keeps it. A burst of signs is one problem; a sign after three quiet minutes begins another.
 *
 * @param id counts up over the life of the node
 * @param key what belongs together
 * @param xid its Xid, -1 for another kind of problem
 * @param boot the boot it began in
 * @param said what the first sign amounts to by itself: the table's row, or the rule's verdict
 * @param now what it amounts to with all that is known
 * @param worst the worst it amounted to
 * @param clearsOn what clears it
 * @param asksGpu whether the GPU's recovery action outranks the table
 * @param text the evidence
 * @param instance tells the MIG instance from a later one with the same id; empty where it is not known
 * @param first when the first sign came
 * @param last when the latest came
 * @param count how many signs
 * @param isAtLeast whether there were more
 * @param isLive whether a reading says right now that it is so
 * @param sources who said so
 * @param processes who was named
 * @param mps the MPS daemon whose server was named
 * @param related what followed from it, with how often
 * @param cleared how it ended
 * @param acknowledged who answers for it
 */
public record Problem(
        long id,
        ProblemKey key,
        int xid,
        String boot,
        Effect said,
        Effect now,
        Effect worst,
        ClearsOn clearsOn,
        boolean asksGpu,
        String text,
        String instance,
        Moment first,
        Moment last,
        long count,
        boolean isAtLeast,
        boolean isLive,
        Set<HealthSource> sources,
        List<AffectedProcess> processes,
        Optional<String> mps,
        Map<String, Integer> related,
        Optional<Cleared> cleared,
        Optional<Acknowledgement> acknowledged) {
    static final int MAX_PROCESSES = 16;
    private static final int MAX_RELATED = 16;

    /**
     * The end of a problem.
     *
     * @param at when
     * @param by what was seen
     */
    public record Cleared(Moment at, String by) {}

    boolean isOpen() {
        return cleared.isEmpty();
    }

    /** A reading that says so right now counts whoever acknowledged it, but for what will never change any more. */
    boolean counts() {
        return isOpen() && (acknowledged.isEmpty() || (isLive && clearsOn != ClearsOn.ACKNOWLEDGEMENT));
    }

    Problem seen(Moment at, long times, HealthSource source, Optional<AffectedProcess> process) {
        return draft().seen(at, times, source).process(process).build();
    }

    Draft draft() {
        return new Draft(this);
    }

    static Draft begin(long id, ProblemKey key, String boot, Moment at) {
        return new Draft(id, key, boot, at);
    }

    /** A problem in the making. */
    static final class Draft {
        private final long id;
        private ProblemKey key;
        private int xid = -1;
        private final String boot;
        private Effect said = Effect.NONE;
        private Effect now = Effect.NONE;
        private Effect worst = Effect.NONE;
        private ClearsOn clearsOn = ClearsOn.QUIET;
        private boolean asksGpu;
        private String text = "";
        private String instance = "";
        private final Moment first;
        private Moment last;
        private long count;
        private boolean isAtLeast;
        private boolean isLive;
        private Set<HealthSource> sources = Set.of();
        private List<AffectedProcess> processes = List.of();
        private Optional<String> mps = Optional.empty();
        private Map<String, Integer> related = Map.of();
        private Optional<Cleared> cleared = Optional.empty();
        private Optional<Acknowledgement> acknowledged = Optional.empty();

        private Draft(long id, ProblemKey key, String boot, Moment at) {
            this.id = id;
            this.key = key;
            this.boot = boot;
            this.first = at;
            this.last = at;
        }

        private Draft(Problem p) {
            this(p.id, p.key, p.boot, p.first);
            xid = p.xid;
            said = p.said;
            now = p.now;
            worst = p.worst;
            clearsOn = p.clearsOn;
            asksGpu = p.asksGpu;
            text = p.text;
            instance = p.instance;
            last = p.last;
            count = p.count;
            isAtLeast = p.isAtLeast;
            isLive = p.isLive;
            sources = p.sources;
            processes = p.processes;
            mps = p.mps;
            related = p.related;
            cleared = p.cleared;
            acknowledged = p.acknowledged;
        }

        Draft key(ProblemKey to) {
            key = to;
            return this;
        }

        Draft xid(int code) {
            xid = code;
            return this;
        }

        /** What its signs amount to; more knowledge may change it later. */
        Draft said(Effect effect) {
            said = effect;
            return now(effect);
        }

        Draft now(Effect effect) {
            now = effect;
            worst = worst.worse(effect);
            return this;
        }

        Draft clearsOn(ClearsOn condition, boolean asks) {
            clearsOn = condition;
            asksGpu = asks;
            return this;
        }

        Draft text(String evidence) {
            text = evidence;
            return this;
        }

        Draft instance(String token) {
            instance = token;
            return this;
        }

        Draft seen(Moment at, long times, HealthSource source) {
            last = at.nanos() > last.nanos() ? at : last;
            count += times;
            if (!sources.contains(source)) {
                EnumSet<HealthSource> more = EnumSet.of(source);
                more.addAll(sources);
                sources = Set.copyOf(more);
            }
            return this;
        }

        Draft process(Optional<AffectedProcess> process) {
            boolean isNew = process.isPresent()
                    && processes.size() < MAX_PROCESSES
                    && processes.stream()
                            .noneMatch(known -> known.pid() == process.get().pid());
            if (isNew) {
                List<AffectedProcess> more = new ArrayList<>(processes);
                more.add(process.get());
                processes = List.copyOf(more);
            }
            return this;
        }

        Draft mps(Optional<String> daemon) {
            mps = mps.isPresent() ? mps : daemon;
            return this;
        }

        Draft related(String what) {
            Map<String, Integer> more = new TreeMap<>(related);
            if (more.containsKey(what) || more.size() < MAX_RELATED) {
                more.merge(what, 1, Integer::sum);
                related = Map.copyOf(more);
            }
            return this;
        }

        Draft atLeast() {
            isAtLeast = true;
            return this;
        }

        Draft live(boolean is) {
            isLive = is;
            return this;
        }

        Draft cleared(Moment at, String by) {
            cleared = Optional.of(new Cleared(at, by));
            isLive = false;
            return this;
        }

        Draft acknowledged(Optional<Acknowledgement> by) {
            acknowledged = by;
            return this;
        }

        Problem build() {
            return new Problem(
                    id,
                    key,
                    xid,
                    boot,
                    said,
                    now,
                    worst,
                    clearsOn,
                    asksGpu,
                    text,
                    instance,
                    first,
                    last,
                    count,
                    isAtLeast,
                    isLive,
                    sources,
                    processes,
                    mps,
                    related,
                    cleared,
                    acknowledged);
        }
    }
}
