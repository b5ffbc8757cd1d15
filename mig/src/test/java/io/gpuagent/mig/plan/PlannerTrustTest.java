// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static io.gpuagent.mig.plan.PlansInNotes.after;
import static io.gpuagent.mig.plan.PlansInNotes.steps;
import static io.gpuagent.mig.plan.PlansInNotes.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How far the planner trusts what a driver says: places and engines before counts, memory and ids. */
class PlannerTrustTest {
    private static final Planner PLANNER = new Planner(PinRules.STANDARD);

    /** mig-parted: an older driver reports less memory for the same profiles of an H200. */
    @Test
    void thePlanDoesNotDependOnWhatADriverReportsAsMemory() {
        MigCard older = new MigCard(Cards.H200.profiles().stream()
                .map(p -> new GpuProfile(
                        p.id(),
                        p.name(),
                        p.slices(),
                        p.most(),
                        p.multiprocessors(),
                        p.engines(),
                        p.memoryMebibytes() - 256,
                        p.placements(),
                        p.computes()))
                .toList());
        GpuInNotes then = new GpuInNotes(older).idle("2g.35gb@0 3g.71gb@4");
        GpuInNotes now = new GpuInNotes(Cards.H200).idle("2g.35gb@0 3g.71gb@4");
        String[] profiles = {"2g.35gb", "1g.35gb", "1g.18gb", "1g.18gb+me"};

        Plan plan = (Plan) PLANNER.plan(now.gpu(), wanted(now, profiles));
        Plan olderPlan = (Plan) PLANNER.plan(then.gpu(), wanted(then, profiles));

        assertThat(steps(olderPlan)).isEqualTo(steps(plan)).isNotEmpty();
        assertThat(olderPlan.cost()).isEqualTo(plan.cost());
    }

    /** {@code +me.all} takes all media engines, though nine of twelve slices are free. */
    @Test
    void enginesForbidWhatSlicesAllow() {
        GpuInNotes rtx = new GpuInNotes(Cards.RTX_PRO_6000).idle("1g.24gb+me.all@0");

        Impossible refused = (Impossible) PLANNER.plan(rtx.gpu(), wanted(rtx, "1g.24gb+me.all", "1g.24gb"));
        Plan without = (Plan) PLANNER.plan(rtx.gpu(), wanted(rtx, "1g.24gb+me.all", "1g.24gb-me"));

        assertThat(refused.neverFits()).isTrue();
        assertThat(refused.reason()).endsWith("together 5 of 4 video decoders");
        assertThat(without.destroyed()).isEmpty();
        // At 3, so that 2g.48gb-me still fits at 6.
        assertThat(after(without)).containsExactly("1g.24gb+me.all@0", "1g.24gb-me@3");
    }

    /** Should our inference about engines be wrong somewhere, what the driver made must still be planned with. */
    @Test
    void whatLivesIsProofAgainstTheTables() {
        GpuInNotes rtx = new GpuInNotes(Cards.RTX_PRO_6000).idle("1g.24gb+me.all@0 1g.24gb@3");

        Plan plan = (Plan) PLANNER.plan(rtx.gpu(), wanted(rtx, "1g.24gb+me.all", "1g.24gb", "1g.24gb-me"));

        assertThat(plan.destroyed()).isEmpty();
        assertThat(plan.created()).hasSize(1);
    }

    /** An A30's driver may give any count: places and engines hold all the same. */
    @Test
    void aDriversWrongCountOfInstancesIsNotTrustedBeyondPlaces() {
        MigCard boasting = new MigCard(Cards.A30.profiles().stream()
                .map(p -> new GpuProfile(
                        p.id(),
                        p.name(),
                        p.slices(),
                        7,
                        p.multiprocessors(),
                        p.engines(),
                        p.memoryMebibytes(),
                        p.placements(),
                        p.computes()))
                .toList());
        GpuInNotes a30 = new GpuInNotes(boasting);

        assertThat(((Impossible) PLANNER.plan(a30.gpu(), wanted(a30, "1g.6gb+me", "1g.6gb+me"))).reason())
                .endsWith("together 2 of 1 JPEG decoders");
        assertThat(((Plan) PLANNER.plan(a30.gpu(), wanted(a30, "2g.12gb", "1g.6gb", "1g.6gb+me"))).created())
                .hasSize(3);
    }

    /** With counts below what lives, or none at all, the layout that is there can still be wanted. */
    @Test
    void aDriversCountThatIsTooLowOrMissingForbidsNothingThatLives() {
        for (int most : new int[] {0, 1}) {
            MigCard modest = new MigCard(Cards.A30.profiles().stream()
                    .map(p -> new GpuProfile(
                            p.id(),
                            p.name(),
                            p.slices(),
                            most,
                            p.multiprocessors(),
                            p.engines(),
                            p.memoryMebibytes(),
                            p.placements(),
                            p.computes()))
                    .toList());
            GpuInNotes a30 = new GpuInNotes(modest).idle("2g.12gb@0 2g.12gb@2");

            assertThat(((Plan) PLANNER.plan(a30.gpu(), wanted(a30, "2g.12gb", "2g.12gb"))).isNoChange())
                    .isTrue();
        }
        assertThat(new GpuProfile(
                                1,
                                "1g.6gb",
                                1,
                                0,
                                14,
                                Engines.NONE,
                                0,
                                List.of(new Placement(0, 1), new Placement(1, 1)),
                                List.of())
                        .limit())
                .isEqualTo(2);
    }

    /** Boards that number their halves the other way round: an id says nothing of a place. */
    @Test
    void placesAreReadAndNotComputedFromIds() {
        GpuInNotes swapped = new GpuInNotes(Cards.H200);
        GpuProfile half = swapped.profile("3g.71gb");
        swapped.add(new GpuInstance(
                        1,
                        half,
                        new Placement(4, 4),
                        List.of(GpuInNotes.full(half)),
                        Ownership.OWN,
                        List.of(GpuInNotes.busyWith(7))))
                .add(new GpuInstance(
                        2, half, new Placement(0, 4), List.of(GpuInNotes.full(half)), Ownership.OWN, List.of()));

        PlanOutcome plan = PLANNER.plan(swapped.gpu(), wanted(swapped, "3g.71gb", "2g.35gb", "2g.35gb"));

        assertThat(steps(plan))
                .startsWith(
                        "destroy compute instance 0 of GPU instance 2 (3g.71gb at 0)",
                        "destroy GPU instance 2 (3g.71gb at 0)");
        assertThat(after(plan)).containsExactly("2g.35gb@0", "2g.35gb@2", "3g.71gb@4");
    }
}
