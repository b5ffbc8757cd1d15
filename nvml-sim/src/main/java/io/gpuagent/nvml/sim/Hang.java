// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A function that does not return until it is released, as in a driver that has lost its GPU. Interrupts change nothing. */
public final class Hang {
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
