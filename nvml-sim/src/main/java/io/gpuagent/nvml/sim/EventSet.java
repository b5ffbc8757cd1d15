// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a caller has asked to be told, and what has happened of it since. */
final class EventSet {
    /** A driver does not keep events without end either; the oldest go first. */
    private static final int MOST_EVENTS = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stirred = lock.newCondition();
    private final Map<SimulatedGpu, Long> asked = new HashMap<>();
    private final Deque<Event> events = new ArrayDeque<>();
    private int stirs;
    private int waiting;
    private int ended = Code.SUCCESS;

    void register(SimulatedGpu gpu, long types) {
        lock.lock();
        try {
            asked.merge(gpu, types, (before, more) -> before | more);
        } finally {
            lock.unlock();
        }
    }

    void add(Event event) {
        lock.lock();
        try {
            if ((asked.getOrDefault(event.gpu(), 0L) & event.type()) != 0) {
                if (events.size() == MOST_EVENTS) {
                    events.removeFirst();
                }
                events.addLast(event);
            }
            stir();
        } finally {
            lock.unlock();
        }
    }

    /** Makes those who wait look again: at the clock, which only they can read. */
    void stir() {
        lock.lock();
        try {
            stirs++;
            stirred.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting, now and later, with a code: the set is freed or the library shut down. */
    void end(int code) {
        lock.lock();
        try {
            ended = code;
            stir();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is next.
     *
     * @return null when nothing has happened
     * @throws Refusal when there is nothing to wait for any more
     */
    @Nullable
    Event poll() {
        lock.lock();
        try {
            if (ended != Code.SUCCESS) {
                throw new Refusal(ended);
            }
            @Nullable Event next = events.pollFirst();
            if (next == null && asked.keySet().stream().anyMatch(SimulatedGpu::isLost)) {
                throw new Refusal(Code.GPU_IS_LOST);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** How often something has stirred; to be read before looking, so that nothing is missed between looking and waiting. */
    int stirs() {
        lock.lock();
        try {
            return stirs;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sleeps until something stirs, but not for longer than a time.
     *
     * @param seen what {@link #stirs} said before the caller looked
     * @return whether it was an interrupt that ended the sleep
     */
    boolean sleep(int seen, long nanos) {
        lock.lock();
        waiting++;
        stirred.signalAll();
        try {
            long left = nanos;
            while (stirs == seen && left > 0) {
                left = stirred.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    void awaitWaiting(int callers) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting < callers) {
                stirred.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
