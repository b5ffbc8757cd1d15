// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.Quoted;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries operations out, each on a thread of its own, at most one at a time on a GPU and in the order in which they were
 * asked for. Whoever asked need not wait: the operation goes on without them.
 */
final class MigOperations implements AutoCloseable {
    static final int MOST_IN_FLIGHT = 16;
    static final int MOST_KEPT = 100;

    private static final System.Logger LOG = System.getLogger(MigOperations.class.getName());
    /** At the end of the agent, in real time; a step that takes longer is finished or undone at the next start. */
    private static final Duration AT_CLOSE = Duration.ofSeconds(1);

    private final PollerRelease pollers;
    private final Ids ids;
    private final Clock clock;
    /** Oldest first. */
    private final Map<String, MigOperation> operations = new LinkedHashMap<>();
    /** Of those that have not ended, oldest first. */
    private final Map<MigOperation, Thread> threads = new LinkedHashMap<>();

    private boolean isClosed;

    MigOperations(PollerRelease pollers, Ids ids, Clock clock) {
        this.pollers = pollers;
        this.ids = ids;
        this.clock = clock;
    }

    /** Begins an operation, or has it wait for others on its GPUs. */
    synchronized OperationView begin(
            OperationKind kind, Optional<String> plan, Requester requester, List<? extends GpuWork> works)
            throws MigRefusedException {
        if (isClosed) {
            throw new MigRefusedException(RefusalCode.BUSY, "the agent is ending; ask the next one");
        }
        if (threads.size() >= MOST_IN_FLIGHT) {
            throw new MigRefusedException(
                    RefusalCode.BUSY, "there are " + MOST_IN_FLIGHT + " operations in flight; wait for one of them");
        }
        MigOperation operation = new MigOperation(ids.next("op"), kind, plan, requester, works, clock);
        forgetOldest();
        operations.put(operation.id(), operation);
        Thread thread =
                Thread.ofPlatform().name("mig-" + operation.id()).daemon().unstarted(() -> run(operation));
        threads.put(operation, thread);
        thread.start();
        return operation.view();
    }

    private void forgetOldest() {
        List<String> ended = operations.values().stream()
                .filter(MigOperation::hasEnded)
                .map(MigOperation::id)
                .toList();
        int most = Math.max(0, operations.size() - MOST_KEPT + 1);
        ended.stream().limit(most).forEach(operations::remove);
    }

    private void run(MigOperation operation) {
        try {
            if (awaitTurn(operation)) {
                operation.carryOut(pollers);
            } else {
                operation.end(new GpuWork.End(OperationState.CANCELLED, "it was called off before it was begun"));
            }
        } catch (InterruptedException e) {
            operation.end(new GpuWork.End(OperationState.CANCELLED, "the agent ended before it was begun"));
        } finally {
            leave(operation);
        }
    }

    /** Waits until no earlier operation has a GPU of this one; false where it was called off meanwhile. */
    private synchronized boolean awaitTurn(MigOperation operation) throws InterruptedException {
        while (!operation.isCancelled() && isBehindAnother(operation)) {
            wait();
        }
        return !operation.isCancelled();
    }

    private boolean isBehindAnother(MigOperation operation) {
        for (MigOperation earlier : threads.keySet()) {
            if (earlier == operation) {
                return false;
            }
            if (!Collections.disjoint(earlier.gpus(), operation.gpus())) {
                return true;
            }
        }
        return false;
    }

    private synchronized void leave(MigOperation operation) {
        threads.remove(operation);
        notifyAll();
        OperationView end = operation.view();
        LOG.log(
                end.state() == OperationState.DONE ? INFO : WARNING,
                "MIG operation {0} ({1}) of user {2}: {3}: {4}",
                end.id(),
                end.kind().label(),
                end.user(),
                end.state().label(),
                end.sentence());
    }

    /** Calls an operation off: at once while it waits, before its next step while it runs. */
    synchronized OperationView cancel(String id) throws MigRefusedException {
        MigOperation operation = required(id);
        if (operation.hasEnded()) {
            throw new MigRefusedException(
                    RefusalCode.NOT_FOUND,
                    "the operation " + id + " has ended: "
                            + operation.view().state().label());
        }
        operation.cancel();
        notifyAll();
        return operation.view();
    }

    synchronized OperationView find(String id) throws MigRefusedException {
        return required(id).view();
    }

    private MigOperation required(String id) throws MigRefusedException {
        MigOperation operation = operations.get(id);
        if (operation == null) {
            throw new MigRefusedException(
                    RefusalCode.NOT_FOUND,
                    "there is no operation " + Quoted.of(id) + "; the last " + MOST_KEPT
                            + " since the agent's start are kept");
        }
        return operation;
    }

    /** All that are kept, newest first. */
    synchronized List<OperationView> all() {
        return operations.values().stream().map(MigOperation::view).toList().reversed();
    }

    /** Calls everything off, and waits a moment for the steps that are under way. */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            isClosed = true;
            threads.keySet().forEach(MigOperation::cancel);
            notifyAll();
            running = List.copyOf(threads.values());
        }
        try {
            for (Thread thread : running) {
                thread.join(AT_CLOSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
