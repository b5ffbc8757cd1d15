// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that calls NVML for a GPU. A call that does not return in time is left alone: it may still be under way
 * in the driver, so nothing else is called until it has returned.
 */
final class Lane {
    private static final String WATCH = "mig-deadline";

    private final Clock clock;
    private final ExecutorService thread;
    private final List<Runnable> onReturn = new ArrayList<>();
    /** What has outlived its deadline. */
    private @Nullable String stuck;

    /** Work of a value; refused by a MigException. */
    interface Work<T> {
        T run() throws MigException;
    }

    Lane(Clock clock, String name) {
        this.clock = clock;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    private static final class Task<T> {
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private boolean isOver;
    }

    /**
     * Does work on the thread.
     *
     * @param what for the message: {@code to destroy GPU instance 3}
     * @param limit how long it may take
     */
    <T> T call(String what, Duration limit, Work<T> work) throws MigException {
        synchronized (this) {
            if (stuck != null) {
                throw overdue(stuck);
            }
        }
        Task<T> task = new Task<>();
        long deadline = clock.nanos() + limit.toNanos();
        thread.execute(() -> run(task, work));
        Thread watch = Thread.ofPlatform().daemon().name(WATCH).start(() -> {
            try {
                clock.sleepUntil(deadline);
                giveUp(task, what);
            } catch (InterruptedException hasReturned) {
                // Nothing is left to be watched.
                return;
            }
        });
        try {
            return task.answer.join();
        } catch (CompletionException e) {
            throw unwrapped(e);
        } finally {
            watch.interrupt();
        }
    }

    private <T> void run(Task<T> task, Work<T> work) {
        try {
            T value = work.run();
            returned(task);
            task.answer.complete(value);
        } catch (MigException | RuntimeException | Error e) {
            returned(task);
            task.answer.completeExceptionally(e);
        }
    }

    private void giveUp(Task<?> task, String what) {
        synchronized (this) {
            if (task.isOver) {
                return;
            }
            task.isOver = true;
            stuck = what;
        }
        task.answer.completeExceptionally(overdue(what));
    }

    private void returned(Task<?> task) {
        List<Runnable> waiting;
        synchronized (this) {
            if (!task.isOver) {
                task.isOver = true;
                return;
            }
            stuck = null;
            waiting = List.copyOf(onReturn);
            onReturn.clear();
        }
        waiting.forEach(Runnable::run);
    }

    private static MigException overdue(String what) {
        return new MigException(
                MigException.Cause.OVERDUE,
                "the call " + what + " has not returned in time and may still be under way in the driver");
    }

    private static MigException unwrapped(CompletionException e) {
        return switch (e.getCause()) {
            case MigException refused -> refused;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null, default -> throw e;
        };
    }

    /** What has outlived its deadline and not returned; empty while all is well. */
    synchronized Optional<String> stuck() {
        return Optional.ofNullable(stuck);
    }

    /** Does something at once, or once the call has returned that is overdue: then on the thread of this lane. */
    void whenFree(Runnable action) {
        synchronized (this) {
            if (stuck != null) {
                onReturn.add(action);
                return;
            }
        }
        action.run();
    }

    /** Lets the thread end when it has nothing to do. */
    void close() {
        whenFree(thread::shutdown);
    }
}
