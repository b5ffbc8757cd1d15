// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way that every change of a simulated machine takes. Where its state is kept in a file, a change first takes in what
 * other processes have done and is written before anybody else can make one. Whoever holds the lock of a GPU must be
 * through the gate already.
 */
final class ChangeGate {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable SharedMachine shared;

    /** From now on the state of the machine is kept in a file. */
    void share(SharedMachine machine) {
        shared = machine;
    }

    void change(Runnable change) {
        this.<@Nullable Object>change(() -> {
            change.run();
            return null;
        });
    }

    <T extends @Nullable Object> T change(Supplier<T> change) {
        @Nullable SharedMachine file = shared;
        if (file == null) {
            return change.get();
        }
        lock.lock();
        try {
            if (lock.getHoldCount() > 1) {
                return change.get();
            }
            return file.change(change);
        } finally {
            lock.unlock();
        }
    }

    /** Takes in what other processes have done; costs a read of memory where they have done nothing. */
    void refresh() {
        @Nullable SharedMachine file = shared;
        if (file == null || !file.isBehind()) {
            return;
        }
        lock.lock();
        try {
            // Within a change everything is as new as it can be.
            if (lock.getHoldCount() == 1) {
                file.refresh();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isShared() {
        return shared != null;
    }
}
