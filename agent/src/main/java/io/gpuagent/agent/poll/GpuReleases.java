// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Has the pollers let go of GPUs that are about to be changed. Meanwhile the snapshot says {@code RELEASED} of them, and
 * their values end as they grow old. When a GPU is given back, everything about it is read anew: handles, what it
 * supports, its MIG instances. Any thread may ask, and waits.
 */
public final class GpuReleases {
    /** How far to let go. */
    public enum Depth {
        /** No call is under way and none begins: enough for a compute mode. */
        CALLS,
        /**
         * As {@link #CALLS}, and NVML has been shut down since the GPU was last asked, so that nothing in this process
         * subscribes to an instance of it; other GPUs are polled in a new session, which has never touched this one.
         * For GPU instances and compute instances.
         */
        INSTANCES,
        /**
         * NVML is shut down until the GPU is given back, and no GPU is polled: nvmlInit itself opens /dev/nvidia0
         * (captured on an H200, driver 580.159.04). For MIG modes, resets and drivers.
         */
        LIBRARY
    }

    /** GPUs that were let go of. */
    public interface Released extends AutoCloseable {
        /** Has them polled again; a second call does nothing. */
        @Override
        void close();
    }

    private final DriverLoop driver;
    private final CallLedger ledger;

    /**
     * Releases of what a loop polls.
     *
     * @param driver the loop
     * @param ledger its calls
     */
    public GpuReleases(DriverLoop driver, CallLedger ledger) {
        this.driver = driver;
        this.ledger = ledger;
    }

    /**
     * Lets go.
     *
     * @param uuids of the GPUs; one that is not polled needs nothing
     * @param depth how far
     * @param within how long to wait at most, in real time, for each of two steps; beyond {@link Depth#CALLS} it takes
     *     a second or two
     * @return to give them back
     * @throws NotReleasedException when a call has not returned by then, or this thread was interrupted; they are polled
     *     on
     */
    public Released release(Collection<String> uuids, Depth depth, Duration within) throws NotReleasedException {
        Set<Integer> gpus = new TreeSet<>();
        for (GpuWorker worker : driver.session().workers()) {
            String uuid = worker.view().identity().uuid();
            // One that has not told its UUID may be meant.
            if (uuid.isEmpty() || uuids.contains(uuid)) {
                gpus.add(worker.index());
            }
        }
        Hold hold = new Hold(driver.gate(), gpus, depth == Depth.LIBRARY);
        boolean released = false;
        try {
            letGo(gpus, depth, within);
            released = true;
            return hold;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReleasedException("the wait for calls to " + names(gpus) + " was interrupted");
        } finally {
            if (!released) {
                hold.close();
            }
        }
    }

    private void letGo(Set<Integer> gpus, Depth depth, Duration within)
            throws NotReleasedException, InterruptedException {
        if (!driver.gate().awaitQuiet(gpus, within)) {
            throw new NotReleasedException(names(gpus) + " cannot be let go of: " + underWay(gpus));
        }
        if (depth == Depth.CALLS) {
            return;
        }
        // A session with a call in it would only be left open, and the others would have been disturbed for nothing.
        List<Integer> hung = ledger.running().stream()
                .filter(CallLedger.Running::late)
                .map(CallLedger.Running::gpu)
                .toList();
        if (!hung.isEmpty() || !driver.gate().endSessions(within)) {
            throw new NotReleasedException(
                    "NVML cannot be shut down to let go of " + names(gpus) + ": " + underWay(hung));
        }
    }

    private static String names(Collection<Integer> gpus) {
        return gpus.isEmpty()
                ? "the GPU"
                : gpus.stream().map(gpu -> "GPU " + gpu).collect(Collectors.joining(", "));
    }

    private String underWay(Collection<Integer> gpus) {
        String calls = ledger.running().stream()
                .filter(call -> gpus.isEmpty() || gpus.contains(call.gpu()))
                .map(call -> call.function() + " of "
                        + (call.gpu() == CallLedger.DRIVER ? "the driver" : "GPU " + call.gpu())
                        + " has not returned")
                .collect(Collectors.joining(", "));
        return calls.isEmpty() ? "the driver's thread did not get to it in time" : calls;
    }

    private static final class Hold implements Released {
        private final Gate gate;
        private final Set<Integer> gpus;
        private final boolean library;
        private final AtomicBoolean isOver = new AtomicBoolean();

        Hold(Gate gate, Set<Integer> gpus, boolean library) {
            this.gate = gate;
            this.gpus = gpus;
            this.library = library;
            gate.hold(gpus);
            if (library) {
                gate.holdLibrary();
            }
        }

        @Override
        public void close() {
            if (isOver.compareAndSet(false, true)) {
                gate.giveBack(gpus);
                if (library) {
                    gate.giveLibraryBack();
                }
            }
        }
    }
}
