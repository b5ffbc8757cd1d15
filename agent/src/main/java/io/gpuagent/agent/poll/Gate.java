// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Who may call NVML. A worker asks before each round and the driver's thread before each session; whoever changes a GPU
 * shuts them out, and waits until those that are in have left. Waiting is for threads, so it is in real time.
 */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    // All guarded by the lock.
    private final Map<Integer, Integer> held = new HashMap<>();
    private final Map<Integer, Long> returned = new HashMap<>();
    private final Set<Integer> inRound = new HashSet<>();
    private final TreeSet<Long> openSessions = new TreeSet<>();
    private final Map<Integer, String> renewedFor = new HashMap<>();
    private int libraryHeld;
    private long lastSession;
    private long lastToEnd;

    /** Whether a round of calls to a GPU may begin; {@link #leave} ends it. */
    boolean enter(int gpu) {
        return locked(() -> !held.containsKey(gpu) && inRound.add(gpu));
    }

    void leave(int gpu) {
        locked(() -> inRound.remove(gpu));
    }

    boolean isHeld(int gpu) {
        return locked(() -> held.containsKey(gpu));
    }

    /** How often a GPU was given back: whenever this has grown, all that was known of it may be wrong. */
    long returned(int gpu) {
        return locked(() -> returned.getOrDefault(gpu, 0L));
    }

    /** The number of a session that may be opened now; 0 where none may. {@link #closed} ends it. */
    long open() {
        return locked(() -> {
            if (libraryHeld > 0) {
                return 0L;
            }
            openSessions.add(++lastSession);
            return lastSession;
        });
    }

    void closed(long session) {
        locked(() -> openSessions.remove(session));
    }

    /** Whether somebody waits for a session to end. */
    boolean mustEnd(long session) {
        return locked(() -> session <= lastToEnd);
    }

    void hold(Collection<Integer> gpus) {
        locked(() -> {
            gpus.forEach(gpu -> held.merge(gpu, 1, Integer::sum));
            return true;
        });
    }

    void giveBack(Collection<Integer> gpus) {
        locked(() -> {
            for (Integer gpu : gpus) {
                held.computeIfPresent(gpu, (key, count) -> count == 1 ? null : count - 1);
                returned.merge(gpu, 1L, Long::sum);
            }
            return true;
        });
    }

    void holdLibrary() {
        locked(() -> libraryHeld++);
    }

    void giveLibraryBack() {
        locked(() -> libraryHeld--);
    }

    /** Waits until no round of these GPUs is under way; false where one still is in the end. */
    boolean awaitQuiet(Collection<Integer> gpus, Duration within) throws InterruptedException {
        return await(() -> gpus.stream().noneMatch(inRound::contains), within);
    }

    /** Has every session ended that is open now, and waits until NVML has been shut down after each. */
    boolean endSessions(Duration within) throws InterruptedException {
        long last = locked(() -> lastToEnd = lastSession);
        return await(() -> openSessions.headSet(last, true).isEmpty(), within);
    }

    /**
     * Has the session end once for something that only a new one mends; again when it is something else.
     *
     * @param what it is for
     */
    void renewFor(int gpu, String what) {
        locked(() -> {
            if (!what.equals(renewedFor.put(gpu, what))) {
                lastToEnd = lastSession;
            }
            return lastToEnd;
        });
    }

    private boolean await(BooleanSupplier isReached, Duration within) throws InterruptedException {
        long nanos = within.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isReached.getAsBoolean()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = left.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            left.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }
}
