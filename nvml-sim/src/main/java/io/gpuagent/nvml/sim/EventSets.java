// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All event sets of a library. */
final class EventSets {
    private final SimulatedDriver driver;
    private final List<EventSet> sets = new CopyOnWriteArrayList<>();

    EventSets(SimulatedDriver driver) {
        this.driver = driver;
    }

    EventSet create() {
        EventSet set = new EventSet();
        sets.add(set);
        return set;
    }

    void free(EventSet set) {
        sets.remove(set);
        set.end(Code.INVALID_ARGUMENT);
    }

    void raise(Event event) {
        // Errors of single instances reach only those who may see all instances.
        boolean isSeen = event.gpuInstance() == Event.NO_INSTANCE || driver.may(Privilege.MIG_MONITOR);
        if (isSeen) {
            sets.forEach(set -> set.add(event));
        }
    }

    void stir() {
        sets.forEach(EventSet::stir);
    }

    /** The library is shut down. */
    void end() {
        sets.forEach(set -> set.end(Code.UNINITIALIZED));
        sets.clear();
    }

    void awaitWaiting(int callers) throws InterruptedException {
        for (EventSet set : sets) {
            set.awaitWaiting(callers);
        }
    }
}
