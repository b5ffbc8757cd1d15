// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Xids that one source has reported and the other has not yet: the kernel's log and NVML's events tell of the same error,
 * in either order and up to two seconds apart. Immutable and bounded; in a storm, signs within 50 ms are kept as one entry
 * with a count, so nothing is matched twice.
 */
record Sightings(List<Sighting> waiting) {
    static final long WINDOW = 2_000_000_000L;
    private static final long SAME_ENTRY = 50_000_000L;
    private static final int MAX = 128;
    static final Sightings NONE = new Sightings(List.of());

    /**
     * Signs from one source that wait for the other.
     *
     * @param isKernel whether they came from the kernel's log
     * @param what the Xid, or the kind of engine where NVML may number it in another way
     * @param gi the MIG GPU instance, -1 for none
     * @param problem the problem they were counted for; -1 for none
     * @param from the first of them
     * @param to the last of them
     * @param count how many
     */
    record Sighting(boolean isKernel, String what, int gi, long problem, long from, long to, long count) {
        private boolean matches(HealthSource source, String other, int otherGi, long nanos) {
            boolean isOtherSide = isKernel != fromKernel(source);
            boolean isSame = what.equals(other) || what.equals(ANY) || other.equals(ANY);
            boolean isSameInstance = gi < 0 || otherGi < 0 || gi == otherGi;
            return isOtherSide && isSame && isSameInstance && nanos >= from - WINDOW && nanos <= to + WINDOW;
        }
    }

    /** What NVML calls an Xid that it does not know: any of the kernel's. */
    static final String ANY = "999";

    private static boolean fromKernel(HealthSource source) {
        return source != HealthSource.NVML_EVENT;
    }

    /** The oldest sign of the other source that this one may be the same as. */
    Optional<Sighting> match(HealthSource source, String what, int gi, long nanos) {
        for (Sighting sighting : waiting) {
            if (sighting.matches(source, what, gi, nanos)) {
                return Optional.of(sighting);
            }
        }
        return Optional.empty();
    }

    /** One of these signs has found its like. */
    Sightings without(Sighting matched) {
        List<Sighting> left = new ArrayList<>(waiting.size());
        boolean isFound = false;
        for (Sighting sighting : waiting) {
            if (isFound || !sighting.equals(matched)) {
                left.add(sighting);
                continue;
            }
            isFound = true;
            if (sighting.count() > 1) {
                left.add(new Sighting(
                        sighting.isKernel(),
                        sighting.what(),
                        sighting.gi(),
                        sighting.problem(),
                        sighting.from(),
                        sighting.to(),
                        sighting.count() - 1));
            }
        }
        return new Sightings(left);
    }

    Sightings with(HealthSource source, String what, int gi, long problem, long nanos) {
        List<Sighting> kept = new ArrayList<>(waiting.size() + 1);
        boolean isAdded = false;
        for (Sighting sighting : waiting) {
            if (sighting.to() < nanos - 2 * WINDOW) {
                continue;
            }
            boolean isHere = !isAdded
                    && sighting.isKernel() == fromKernel(source)
                    && sighting.what().equals(what)
                    && sighting.gi() == gi
                    && sighting.problem() == problem
                    && nanos >= sighting.to()
                    && nanos - sighting.from() <= SAME_ENTRY;
            if (isHere) {
                kept.add(new Sighting(
                        sighting.isKernel(), what, gi, problem, sighting.from(), nanos, sighting.count() + 1));
                isAdded = true;
            } else {
                kept.add(sighting);
            }
        }
        if (!isAdded) {
            if (kept.size() == MAX) {
                kept.removeFirst();
            }
            kept.add(new Sighting(fromKernel(source), what, gi, problem, nanos, nanos, 1));
        }
        return new Sightings(kept);
    }
}
