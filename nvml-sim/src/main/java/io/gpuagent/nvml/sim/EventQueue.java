// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a process has asked to be told, and what has happened of it since.
 *
 * @param <E> what can happen
 */
abstract class EventQueue<E> {
    /** A driver does not keep events without end either; the oldest go first. */
    private static final int MOST_EVENTS = 100_000;

    private final Library owner;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stirred = lock.newCondition();
    private final Deque<E> events = new ArrayDeque<>();
    private int stirs;
    private int waiting;
    private int ended = Code.SUCCESS;

    EventQueue(Library owner) {
        this.owner = owner;
    }

    /** Whose process made it. */
    Library owner() {
        return owner;
    }

    /** Runs something under the lock of the queue. */
    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the caller has asked for that; under the lock. */
    abstract boolean isAsked(E event);

    /** What there is to say where nothing has happened: SUCCESS to go on waiting; under the lock. */
    abstract int idleCode();

    void add(E event) {
        lock.lock();
        try {
            if (isAsked(event)) {
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
    E poll() {
        lock.lock();
        try {
            if (ended != Code.SUCCESS) {
                throw new Refusal(ended);
            }
            @Nullable E next = events.pollFirst();
            if (next == null && idleCode() != Code.SUCCESS) {
                throw new Refusal(idleCode());
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
