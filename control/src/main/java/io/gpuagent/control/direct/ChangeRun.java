// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** One change on a thread of its own, which holds the JVM until the change has come back. */
final class ChangeRun {
    // Far more than any change has; it bounds the queue.
    private static final int MOST_STEPS = 1000;

    private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final AtomicInteger steps = new AtomicInteger();
    private boolean nobodyListens;

    private sealed interface Event {}

    private record Step(String sentence) implements Event {}

    private record Over(Answer answer) implements Event {}

    private record Late() implements Event {}

    private record Question(CompletableFuture<Boolean> answer) implements Event {}

    /** What a change may say and ask meanwhile. */
    interface Requests {
        /** A step was made. */
        void progress(String sentence);

        /** Whether to go on; true where nobody answers any more. */
        boolean goesOn();
    }

    /**
     * Starts the change.
     *
     * @param change takes those who hear of its progress, and answers
     */
    ChangeRun(Function<Requests, Answer> change) {
        Thread thread = Thread.ofPlatform().name("change").daemon(false).unstarted(() -> {
            try {
                events.add(new Over(change.apply(requests())));
            } finally {
                RUNNING.remove(Thread.currentThread());
            }
        });
        RUNNING.add(thread);
        thread.start();
    }

    /** Waits for the changes of this process that are in flight now, for each at most as long. */
    static void awaitAll(Duration within) throws InterruptedException {
        for (Thread thread : RUNNING) {
            thread.join(within);
        }
    }

    private Requests requests() {
        return new Requests() {
            @Override
            public void progress(String sentence) {
                step(sentence);
            }

            @Override
            public boolean goesOn() {
                return ask();
            }
        };
    }

    private boolean ask() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        synchronized (this) {
            if (nobodyListens) {
                return true;
            }
            events.add(new Question(answer));
        }
        return answer.join();
    }

    /** Questions that are asked from now on, and those that are left, have nobody who answers. */
    private synchronized void leave() {
        nobodyListens = true;
        for (Event event : events) {
            if (event instanceof Question(var answer)) {
                answer.complete(true);
            }
        }
    }

    private void step(String sentence) {
        if (steps.incrementAndGet() <= MOST_STEPS) {
            events.add(new Step(sentence));
        }
    }

    /**
     * Waits for the answer and hands steps on meanwhile.
     *
     * @param caller hears of the steps
     * @param deadline in the clock's nanoseconds
     * @param clock the time
     * @return the answer; empty where it did not come in time
     */
    Optional<Answer> await(Caller caller, long deadline, Clock clock) {
        Thread guard = Thread.ofPlatform().name("change-deadline").daemon().start(() -> {
            try {
                clock.sleepUntil(deadline);
                events.add(new Late());
            } catch (InterruptedException answered) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            while (true) {
                switch (events.take()) {
                    case Step(var sentence) -> caller.progress(sentence);
                    case Question(var answer) -> answer.complete(caller.goOn());
                    case Over(var answer) -> {
                        return Optional.of(answer);
                    }
                    case Late _ -> {
                        return Optional.empty();
                    }
                }
            }
        } catch (InterruptedException e) {
            // The waiting thread is wanted elsewhere; the change goes on, as after its deadline.
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            leave();
            guard.interrupt();
        }
    }
}
