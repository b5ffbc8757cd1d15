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
    private static final int LATEST = 8;
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
        private boolean matches(boolean isFromKernel, String other, int otherGi, long nanos) {
            if (isKernel == isFromKernel || nanos < from - WINDOW || nanos > to + WINDOW) {
                return false;
            }
            boolean isSame = what.equals(other) || what.equals(ANY) || other.equals(ANY);
            return isSame && (gi < 0 || otherGi < 0 || gi == otherGi);
        }

        private boolean isJoinedBy(boolean isFromKernel, String other, int otherGi, long otherProblem, long nanos) {
            return isKernel == isFromKernel
                    && problem == otherProblem
                    && gi == otherGi
                    && nanos >= to
                    && nanos - from <= SAME_ENTRY
                    && what.equals(other);
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
            if (sighting.matches(fromKernel(source), what, gi, nanos)) {
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
        int old = 0;
        while (old < waiting.size() && waiting.get(old).to() < nanos - 2 * WINDOW) {
            old++;
        }
        List<Sighting> kept = new ArrayList<>(waiting.subList(old, waiting.size()));
        // What may be joined is among the latest: two sources, and a few codes at a time.
        for (int i = kept.size() - 1; i >= 0 && i >= kept.size() - LATEST; i--) {
            Sighting last = kept.get(i);
            if (last.isJoinedBy(fromKernel(source), what, gi, problem, nanos)) {
                kept.set(i, new Sighting(last.isKernel(), what, gi, problem, last.from(), nanos, last.count() + 1));
                return new Sightings(kept);
            }
        }
        if (kept.size() == MAX) {
            kept.removeFirst();
        }
        kept.add(new Sighting(fromKernel(source), what, gi, problem, nanos, nanos, 1));
        return new Sightings(kept);
    }
}
