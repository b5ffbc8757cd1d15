// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static io.gpuagent.mig.plan.PlansInNotes.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.GpuInNotes;
import org.junit.jupiter.api.Test;

class PlanIdTest {
    private static final Planner PLANNER = new Planner(PinRules.STANDARD);

    private static PlanId planned(GpuInNotes gpu, String... profiles) {
        return PlanId.of((Plan) PLANNER.plan(gpu.gpu(), wanted(gpu, profiles)));
    }

    private static GpuInNotes h200() {
        return new GpuInNotes(Cards.H200);
    }

    @Test
    void theSamePlanHasTheSameIdHoweverItWasAskedFor() {
        assertThat(planned(h200().idle("2g.35gb@0 1g.18gb@6"), "1g.18gb", "3g.71gb"))
                .isEqualTo(planned(h200().idle("1g.18gb@6 2g.35gb@0"), "3g.71gb", "1g.18gb"));
    }

    @Test
    void anotherGpuOrLayoutChangesTheFirstPart() {
        PlanId id = planned(h200().idle("1g.18gb@6"), "1g.18gb", "3g.71gb");

        assertThat(planned(h200().index(1).idle("1g.18gb@6"), "1g.18gb", "3g.71gb")
                        .layout())
                .isNotEqualTo(id.layout());
        assertThat(planned(h200().idle("1g.18gb@5"), "1g.18gb", "3g.71gb").layout())
                .isNotEqualTo(id.layout());
    }

    /** Once something runs on an instance, the way to the same layout is another one. */
    @Test
    void otherUsersOfTheSameLayoutChangeTheSecondPart() {
        PlanId idle = planned(h200().idle("1g.18gb@0 1g.18gb@6"), "1g.18gb", "3g.71gb");
        PlanId busy = planned(h200().busy("1g.18gb@6").idle("1g.18gb@0"), "1g.18gb", "3g.71gb");

        assertThat(busy.layout()).isEqualTo(idle.layout());
        assertThat(busy.steps()).isNotEqualTo(idle.steps());
    }

    @Test
    void anIdReadsBackFromItsText() {
        PlanId id = planned(h200(), "7g.141gb");

        assertThat(id.text()).matches("[0-9a-f]{16}-[0-9a-f]{16}");
        assertThat(PlanId.parse(id.text())).isEqualTo(id);
    }
}
