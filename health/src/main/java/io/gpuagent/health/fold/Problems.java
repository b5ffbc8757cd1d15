// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The problems of one GPU or of the node, open and ended, by id; immutable and bounded. */
public final class Problems {
    static final int MAX = 64;
    static final Problems NONE = new Problems(List.of());

    private final List<Problem> list;

    Problems(List<Problem> list) {
        this.list = list;
    }

    /**
     * All of them.
     *
     * @return the oldest first
     */
    public List<Problem> all() {
        return list;
    }

    Stream<Problem> open() {
        return list.stream().filter(Problem::isOpen);
    }

    /** The latest open one that fits. */
    Optional<Problem> latest(Predicate<Problem> fits) {
        for (int i = list.size() - 1; i >= 0; i--) {
            Problem problem = list.get(i);
            if (problem.isOpen() && fits.test(problem)) {
                return Optional.of(problem);
            }
        }
        return Optional.empty();
    }

    Optional<Problem> open(String code) {
        return latest(problem -> problem.key().code().equals(code));
    }

    Optional<Problem> byId(long id) {
        return list.stream().filter(problem -> problem.id() == id).findFirst();
    }

    /** With this problem in the place of the one with its id, or at the end. */
    Problems with(Problem problem) {
        List<Problem> changed = new ArrayList<>(list);
        for (int i = changed.size() - 1; i >= 0; i--) {
            if (changed.get(i).id() == problem.id()) {
                changed.set(i, problem);
                return new Problems(changed);
            }
        }
        changed.add(problem);
        if (changed.size() > MAX) {
            changed.remove(leastMissed(changed));
        }
        return new Problems(changed);
    }

    /** What ended first goes first; where all are open, the mildest that is longest ago. */
    private static Problem leastMissed(List<Problem> problems) {
        return problems.stream()
                .min(Comparator.comparing(Problem::isOpen)
                        .thenComparing(
                                problem -> problem.isOpen() ? problem.now().state() : HealthState.OK)
                        .thenComparingLong(problem -> problem.last().nanos()))
                .orElseThrow();
    }
}
