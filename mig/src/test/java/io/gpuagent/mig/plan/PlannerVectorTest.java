// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small examples on the axis of the H200, as a table: {@code 1g@4,5} are two 1g.18gb at 4 and 5, {@code 1g2} is 1g.35gb.
 * They were found by going through all 2319 layouts, apart from this planner.
 */
class PlannerVectorTest {
    private static final Map<String, String> NAMES = Map.of(
            "1g", "1g.18gb", "1g2", "1g.35gb", "2g", "2g.35gb", "3g", "3g.71gb", "4g", "4g.71gb", "7g", "7g.141gb");

    @ParameterizedTest(name = "{0} (busy: {1}) -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
            # before              | busy        | wanted       | keep      | destroy   | create
            -                     | -           | 3x1g         | -         | -         | 1g@4,5,6
            -                     | -           | 2x1g 2g 3g   | -         | -         | 2g@0 1g@2,3 3g@4
            -                     | -           | 2g 2x1g2     | -         | -         | 1g2@2 2g@4 1g2@6
            2g@0 1g@2 1g@3 3g@4   | 1g@2        | 7x1g         | 1g@2,3    | 2g@0 3g@4 | 1g@0,1,4,5,6
            4g@0 2g@4 1g@6        | 4g@0        | 4g 3x1g      | 4g@0 1g@6 | 2g@4      | 1g@4,5
            4g@0 2g@4 1g@6        | 2g@4        | 2g 5x1g      | 2g@4 1g@6 | 4g@0      | 1g@0,1,2,3
            1g@0,1,5              | 1g@0,1      | 3x1g 3g      | 1g@0,1    | 1g@5      | 1g@3 3g@4
            1g@0,2,4,6            | 1g@2        | 4x1g 2g      | 1g@2,4,6  | 1g@0      | 2g@0 1g@5
            1g2@6                 | 1g2@6       | 1g2 3g       | 1g2@6     | -         | 3g@0
            """)
    void theCheapestPlanIsFound(String before, String busy, String wanted, String keep, String destroy, String create) {
        Plan plan = (Plan) outcome(before, busy, wanted);

        assertThat(cuts(plan.kept())).as("kept").isEqualTo(expected(keep));
        assertThat(cuts(plan.destroyed())).as("destroyed").isEqualTo(expected(destroy));
        assertThat(plan.created().stream()
                        .map(made ->
                                made.profile().name() + "@" + made.placement().start())
                        .collect(Collectors.toSet()))
                .as("created")
                .isEqualTo(expected(create));
    }

    @ParameterizedTest(name = "{0} (busy: {1}) -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
            1g@0,1,5              | 1g@0,1,5    | 3x1g 3g      | 1g@5
            2g@0,2,4 1g@6         | 2g@2 1g@6   | 2g 1g 3g     | 2g@2
            """)
    void whatStandsInTheWayIsNamed(String before, String busy, String wanted, String evict) {
        Impossible impossible = (Impossible) outcome(before, busy, wanted);

        assertThat(cuts(impossible.evict())).isEqualTo(expected(evict));
        assertThat(impossible.evict())
                .allSatisfy(instance -> assertThat(impossible.reason()).contains(instance.label()));
    }

    @ParameterizedTest(name = "{0} (busy: {1}) -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
            1g2@6                 | 1g2@6       | 1g2 3g 4g    | together 10 of 8 memory slices
            """)
    void whatNeverFitsIsSaidToNeverFit(String before, String busy, String wanted, String why) {
        Impossible impossible = (Impossible) outcome(before, busy, wanted);

        assertThat(impossible.neverFits()).isTrue();
        assertThat(impossible.reason()).contains("never fit").endsWith(why);
    }

    private static PlanOutcome outcome(String before, String busy, String wanted) {
        Set<String> busyCuts = expected(busy);
        GpuInNotes notes = new GpuInNotes(Cards.H200);
        for (String cut : expected(before)) {
            if (busyCuts.contains(cut)) {
                notes.busy(cut);
            } else {
                notes.idle(cut);
            }
        }
        List<WantedInstance> instances = Arrays.stream(wanted.strip().split(" +", -1))
                .flatMap(item -> {
                    String[] parts = item.contains("x") ? item.split("x", -1) : new String[] {"1", item};
                    return Collections.nCopies(
                            Integer.parseInt(parts[0]), WantedInstance.of(notes.profile(NAMES.get(parts[1]))))
                            .stream();
                })
                .toList();
        return new Planner(PinRules.STANDARD).plan(notes.gpu(), new Wanted(instances));
    }

    /** {@code 1g@2,3 3g@4}, each by its full name. */
    private static Set<String> expected(String cuts) {
        Set<String> each = new HashSet<>();
        for (String group :
                cuts.strip().equals("-") ? new String[0] : cuts.strip().split(" +", -1)) {
            String[] parts = group.split("@", -1);
            for (String start : parts[1].split(",", -1)) {
                each.add(NAMES.get(parts[0]) + "@" + start);
            }
        }
        return each;
    }

    private static Set<String> cuts(List<GpuInstance> instances) {
        return instances.stream()
                .map(instance ->
                        instance.profile().name() + "@" + instance.placement().start())
                .collect(Collectors.toSet());
    }
}
