// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All event sets of a process. */
final class EventSets {
    private final SimulatedDriver driver;
    private final List<EventSet> sets = new CopyOnWriteArrayList<>();
    private final List<SystemEventSet> systemSets = new CopyOnWriteArrayList<>();

    EventSets(SimulatedDriver driver) {
        this.driver = driver;
    }

    EventSet create(Library owner) {
        EventSet set = new EventSet(owner);
        sets.add(set);
        return set;
    }

    SystemEventSet createSystem(Library owner) {
        SystemEventSet set = new SystemEventSet(owner);
        systemSets.add(set);
        return set;
    }

    void free(EventQueue<?> set) {
        sets.remove(set);
        systemSets.remove(set);
        set.end(Code.INVALID_ARGUMENT);
    }

    void tell(Event event) {
        // Errors of single instances reach only those who may see all instances.
        boolean isSeen = event.gpuInstance() == Event.NO_INSTANCE || driver.may(Privilege.MIG_MONITOR);
        if (isSeen) {
            sets.forEach(set -> set.add(event));
        }
    }

    void tell(SystemEvent event) {
        systemSets.forEach(set -> set.add(event));
    }

    void stir() {
        sets.forEach(EventQueue::stir);
        systemSets.forEach(EventQueue::stir);
    }

    /** Ends the sets whose library is not initialised any more, and those of GPUs whose driver is not there any more. */
    void endStale() {
        for (EventSet set : sets) {
            if (!endIfClosed(set) && set.owner().isStale()) {
                set.end(Code.GPU_IS_LOST);
            }
        }
        systemSets.forEach(this::endIfClosed);
    }

    private boolean endIfClosed(EventQueue<?> set) {
        boolean isClosed = set.owner().sessions() == 0;
        if (isClosed) {
            set.end(Code.UNINITIALIZED);
            sets.remove(set);
            systemSets.remove(set);
        }
        return isClosed;
    }

    void awaitWaiting(int callers) throws InterruptedException {
        for (EventSet set : sets) {
            set.awaitWaiting(callers);
        }
        for (SystemEventSet set : systemSets) {
            set.awaitWaiting(callers);
        }
    }
}
