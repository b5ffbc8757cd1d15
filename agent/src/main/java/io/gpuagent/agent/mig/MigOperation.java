// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.mig.OperationView.Line;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One operation while it is carried out: its state, which any thread may look at, and the work itself. */
final class MigOperation {
    /** Retries and steps of the largest change are a few dozen lines. */
    private static final int LONGEST_LOG = 500;

    private final String id;
    private final OperationKind kind;
    private final Optional<String> plan;
    private final Requester requester;
    private final Clock clock;
    private final Instant createdAt;
    private final List<Part> parts = new ArrayList<>();
    private OperationState state = OperationState.QUEUED;
    private Optional<Instant> startedAt = Optional.empty();
    private Optional<Instant> endedAt = Optional.empty();
    private String sentence = "";
    private boolean isCancelled;

    private static final class Part {
        private final GpuWork work;
        private final List<Line> log = new ArrayList<>();
        private OperationState state = OperationState.QUEUED;
        private String sentence = "";

        Part(GpuWork work) {
            this.work = work;
        }
    }

    MigOperation(
            String id,
            OperationKind kind,
            Optional<String> plan,
            Requester requester,
            List<? extends GpuWork> works,
            Clock clock) {
        this.id = id;
        this.kind = kind;
        this.plan = plan;
        this.requester = requester;
        this.clock = clock;
        this.createdAt = clock.now();
        works.forEach(work -> parts.add(new Part(work)));
    }

    String id() {
        return id;
    }

    List<GpuIdentity> gpus() {
        return parts.stream().map(part -> part.work.gpu()).toList();
    }

    synchronized boolean hasEnded() {
        return state.isEnd();
    }

    synchronized boolean isCancelled() {
        return isCancelled;
    }

    /** Ends it before its next step; what was done of the GPU in hand is undone. */
    synchronized void cancel() {
        isCancelled = true;
    }

    /** Does all of it: first looks at every GPU, then changes one after the other, until one fails. */
    void carryOut(PollerRelease pollers) {
        begin();
        try {
            for (Part part : parts) {
                part.work.check();
            }
        } catch (MigRefusedException e) {
            end(new GpuWork.End(OperationState.REFUSED, e.sentence()));
            return;
        }
        for (Part part : parts) {
            GpuWork.End end = isCancelled()
                    ? new GpuWork.End(OperationState.CANCELLED, "it was called off before it was begun")
                    : carryOut(part, pollers);
            if (end.unlessDone().isPresent()) {
                end(part, end);
                return;
            }
        }
        end(new GpuWork.End(OperationState.DONE, doneWords()));
    }

    private GpuWork.End carryOut(Part part, PollerRelease pollers) {
        begin(part);
        GpuWork.End end;
        try (MigCaller caller =
                new MigCaller(line -> log(part, line), this::isCancelled, pollers, PollerRelease.Depth.INSTANCES)) {
            end = part.work.carryOut(caller);
        } catch (RuntimeException e) {
            end = new GpuWork.End(
                    OperationState.FAILED,
                    "it broke off with a fault of the agent itself (" + e + "); look at the GPU before asking again");
        }
        ended(part, end);
        return end;
    }

    private synchronized void begin() {
        state = OperationState.RUNNING;
        startedAt = Optional.of(clock.now());
    }

    private synchronized void begin(Part part) {
        part.state = OperationState.RUNNING;
    }

    private synchronized void log(Part part, String text) {
        if (part.log.size() < LONGEST_LOG) {
            part.log.add(new Line(clock.now(), text));
        }
    }

    private synchronized void ended(Part part, GpuWork.End end) {
        part.state = end.state();
        part.sentence = end.sentence();
    }

    private String doneWords() {
        long gpus = gpus().stream().distinct().count();
        return gpus > 1
                ? "all " + gpus + " GPUs are as wanted"
                : parts.isEmpty()
                        ? "nothing was to be done"
                        : parts.stream().map(part -> part.sentence).collect(Collectors.joining("; "));
    }

    /** Ends it where one GPU has failed, and says what stands. */
    private void end(Part failed, GpuWork.End end) {
        List<String> before = names(OperationState.DONE);
        List<String> behind = names(OperationState.QUEUED);
        behind.remove(name(failed));
        StringBuilder words = new StringBuilder(parts.size() == 1 ? "" : name(failed) + ": ").append(end.sentence());
        if (!before.isEmpty()) {
            words.append("; done before and left so: ").append(String.join(", ", before));
        }
        if (!behind.isEmpty()) {
            words.append("; not begun: ").append(String.join(", ", behind));
        }
        end(new GpuWork.End(end.state(), words.toString()));
    }

    private synchronized List<String> names(OperationState in) {
        return parts.stream()
                .filter(part -> part.state == in)
                .map(MigOperation::name)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String name(Part part) {
        return "GPU " + part.work.gpu().index();
    }

    /** Ends it as a whole. */
    synchronized void end(GpuWork.End end) {
        state = end.state();
        sentence = end.sentence();
        endedAt = Optional.of(clock.now());
    }

    synchronized OperationView view() {
        return new OperationView(
                id,
                kind,
                plan,
                requester.user(),
                createdAt,
                startedAt,
                endedAt,
                state,
                isCancelled,
                sentence,
                parts.stream()
                        .map(part -> new OperationView.OnGpu(part.work.gpu(), part.state, part.sentence, part.log))
                        .toList());
    }
}
