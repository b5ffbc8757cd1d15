// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** One change on a thread of its own, which holds the JVM until the change has come back. */
final class ChangeRun {
    // Far more than any change has; it bounds the queue.
    private static final int MOST_STEPS = 1000;

    private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final AtomicInteger steps = new AtomicInteger();

    private sealed interface Event {}

    private record Step(String sentence) implements Event {}

    private record Over(Answer answer) implements Event {}

    private record Late() implements Event {}

    /**
     * Starts the change.
     *
     * @param change takes the consumer of its progress, and answers
     */
    ChangeRun(Function<Consumer<String>, Answer> change) {
        Thread thread = Thread.ofPlatform().name("change").daemon(false).unstarted(() -> {
            try {
                events.add(new Over(change.apply(this::step)));
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
            guard.interrupt();
        }
    }
}
