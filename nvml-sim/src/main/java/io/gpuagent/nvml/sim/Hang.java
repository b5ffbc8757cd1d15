// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A function that does not return until it is released, or its time is over, as in a driver that has lost its GPU.
 * Interrupts change nothing.
 */
public final class Hang {
    private static final long LOOK_AGAIN_NANOS = 5_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isReleased;
    private int held;

    Hang() {}

    /** Lets all held callers go on, and later ones pass. */
    public void release() {
        lock.lock();
        try {
            isReleased = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How many threads are inside.
     *
     * @return callers that have not returned
     */
    public int held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until that many threads are inside, so that a test need not guess.
     *
     * @param callers how many
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public void awaitHeld(int callers) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (held < callers) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isReleased() {
        lock.lock();
        try {
            return isReleased;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Holds the calling thread for a time on the GPUs' clock, or until it is released. That clock may be moved by hand,
     * which nothing here is told of: it is looked at again and again.
     */
    void hold(SimulatedClock clock, long nanos) {
        long end = clock.elapsedNanos() + nanos;
        boolean isInterrupted = Thread.interrupted();
        lock.lock();
        try {
            held++;
            changed.signalAll();
            long left = nanos;
            while (!isReleased && left > 0) {
                try {
                    left = changed.awaitNanos(Math.min(left, LOOK_AGAIN_NANOS));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
                left = end - clock.elapsedNanos();
            }
        } finally {
            held--;
            lock.unlock();
            if (isInterrupted) {
                // A C function knows nothing of it; whoever called it finds it where it was.
                Thread.currentThread().interrupt();
            }
        }
    }

    void hold() {
        lock.lock();
        try {
            held++;
            changed.signalAll();
            while (!isReleased) {
                changed.awaitUninterruptibly();
            }
        } finally {
            held--;
            lock.unlock();
        }
    }
}
