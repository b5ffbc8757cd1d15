// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static io.gpuagent.mig.plan.PlansInNotes.after;
import static io.gpuagent.mig.plan.PlansInNotes.steps;
import static io.gpuagent.mig.plan.PlansInNotes.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What went wrong with other tools, as their users reported it, and what is planned instead. */
class PlannerCasesTest {
    private static final Planner PLANNER = new Planner(PinRules.STANDARD);

    @Test
    void threeSmallOnesOnAnEmptyCardLandAtItsHighEnd() {
        GpuInNotes empty = new GpuInNotes(Cards.H200);

        Plan plan = (Plan) PLANNER.plan(empty.gpu(), wanted(empty, "1g.18gb", "1g.18gb", "1g.18gb"));

        assertThat(after(plan)).containsExactly("1g.18gb@4", "1g.18gb@5", "1g.18gb@6");
        assertThat(plan.cost().stillFits()).containsExactly(0, 1, 1, 2, 2, 4, 1);
        assertThat(plan.needsIdleGpu()).isTrue();
    }

    /** mig-parted: clearing the whole GPU met the busy instance half-way. */
    @Test
    void aBusyInstanceIsKeptWhereTheWholeGpuUsedToBeCleared() {
        GpuInNotes a100 =
                new GpuInNotes(Cards.A100).idle("2g.10gb@0 1g.5gb@3 3g.20gb@4").busy("1g.5gb@2");
        String[] seven = Collections.nCopies(7, "1g.5gb").toArray(String[]::new);

        Plan plan = (Plan) PLANNER.plan(a100.gpu(), wanted(a100, seven));

        assertThat(plan.kept()).extracting(GpuInstance::id).containsExactly(9, 10);
        assertThat(steps(plan))
                .containsExactly(
                        "destroy compute instance 0 of GPU instance 3 (2g.10gb at 0)",
                        "destroy GPU instance 3 (2g.10gb at 0)",
                        "destroy compute instance 0 of GPU instance 2 (3g.20gb at 4)",
                        "destroy GPU instance 2 (3g.20gb at 4)",
                        "create GPU instance 1g.5gb at 0",
                        "create the full compute instance of GPU instance (1g.5gb at 0)",
                        "create GPU instance 1g.5gb at 1",
                        "create the full compute instance of GPU instance (1g.5gb at 1)",
                        "create GPU instance 1g.5gb at 4",
                        "create the full compute instance of GPU instance (1g.5gb at 4)",
                        "create GPU instance 1g.5gb at 5",
                        "create the full compute instance of GPU instance (1g.5gb at 5)",
                        "create GPU instance 1g.5gb at 6",
                        "create the full compute instance of GPU instance (1g.5gb at 6)");
    }

    /** mig-parted: a layout for GPU 1 alone was refused, as it said nothing of GPU 0. */
    @Test
    void aGpuThatTheLayoutDoesNotNameHasNoPlan() {
        GpuInNotes first = new GpuInNotes(Cards.A30).index(0).idle("4g.24gb@0");
        GpuInNotes second = new GpuInNotes(Cards.A30).index(1).idle("2g.12gb@0 2g.12gb@2");

        NodePlan node = NodePlan.of(
                PLANNER,
                List.of(first.gpu(), second.gpu()),
                Map.of(second.gpu().identity().uuid(), wanted(second, "2g.12gb", "2g.12gb")));

        assertThat(node.outcomes()).hasSize(1);
        assertThat(node.outcomes().getFirst().before().identity().index()).isEqualTo(1);
        assertThat(node.isNoChange()).isTrue();
    }

    @Test
    void whereOneGpuCannotFollowTheNodeAsAWholeDoesNot() {
        GpuInNotes first = new GpuInNotes(Cards.A30).index(0).idle("4g.24gb@0");
        GpuInNotes second = new GpuInNotes(Cards.A30).index(1).busy("4g.24gb@0");

        NodePlan node = NodePlan.of(
                PLANNER,
                List.of(second.gpu(), first.gpu()),
                Map.of(
                        first.gpu().identity().uuid(), wanted(first, "2g.12gb"),
                        second.gpu().identity().uuid(), wanted(second, "2g.12gb")));

        assertThat(node.outcomes())
                .extracting(one -> one.before().identity().index())
                .containsExactly(0, 1);
        assertThat(node.isPossible()).isFalse();
        assertThat(node.isNoChange()).isFalse();
    }

    /** dra-driver: small ones at 0, 1 and 5 left no room for a half. */
    @Test
    void anIdleInstanceMovesOutOfTheWay() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).busy("1g.18gb@0 1g.18gb@1").idle("1g.18gb@5");

        Plan plan = (Plan) PLANNER.plan(gpu.gpu(), wanted(gpu, "1g.18gb", "3g.71gb", "1g.18gb", "1g.18gb"));

        assertThat(plan.destroyed()).extracting(GpuInstance::label).containsExactly("GPU instance 12 (1g.18gb at 5)");
        assertThat(after(plan)).containsExactly("1g.18gb@0", "1g.18gb@1", "1g.18gb@3", "3g.71gb@4");
    }

    @Test
    void aBusyInstanceInTheWayIsNamedWithWhatRunsOnIt() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).busy("1g.18gb@0 1g.18gb@1 1g.18gb@5");

        Impossible impossible =
                (Impossible) PLANNER.plan(gpu.gpu(), wanted(gpu, "1g.18gb", "3g.71gb", "1g.18gb", "1g.18gb"));

        assertThat(impossible.reason())
                .isEqualTo(
                        "3g.71gb and 3 x 1g.18gb cannot be reached on GPU 0 unless GPU instance 12 (1g.18gb at 5) goes:"
                                + " process 4711 (python) runs on it");
    }

    /** dra-driver: a GPU instance was left without its compute instance, and no tool saw it. */
    @Test
    void aHalfMadeInstanceIsCompleted() {
        GpuInNotes notes = new GpuInNotes(Cards.H200);
        GpuProfile profile = notes.profile("3g.71gb");
        notes.add(new GpuInstance(1, profile, new Placement(0, 4), List.of(), Ownership.OWN, List.of()));

        assertThat(steps(PLANNER.plan(notes.gpu(), wanted(notes, "3g.71gb"))))
                .containsExactly("create the full compute instance of GPU instance 1 (3g.71gb at 0)");
        assertThat(steps(PLANNER.plan(notes.gpu(), new Wanted(List.of()))))
                .containsExactly("destroy GPU instance 1 (3g.71gb at 0)");
    }

    /** dra-driver: what others had made was torn down at start. */
    @Test
    void aForeignInstanceStaysBesideTheLayout() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).foreign("1g.35gb@6");

        Plan plan = (Plan) PLANNER.plan(gpu.gpu(), wanted(gpu, "3g.71gb"));
        Plan emptying = (Plan) PLANNER.plan(gpu.gpu(), new Wanted(List.of()));

        assertThat(after(plan)).containsExactly("3g.71gb@0", "1g.35gb@6");
        assertThat(plan.after().getLast().isWanted()).isFalse();
        assertThat(plan.destroyed()).isEmpty();
        assertThat(emptying.isNoChange()).isTrue();
    }

    @Test
    void aForeignInstanceThatIsWantedIsNotMadeTwice() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).foreign("1g.35gb@6");

        Plan plan = (Plan) PLANNER.plan(gpu.gpu(), wanted(gpu, "1g.35gb", "3g.71gb"));

        assertThat(after(plan)).containsExactly("3g.71gb@0", "1g.35gb@6");
        assertThat(plan.after().getLast().isWanted()).isTrue();
    }

    @Test
    void aForeignInstanceInTheWayWantsToBeAdopted() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).foreign("1g.35gb@6");

        Impossible impossible = (Impossible) PLANNER.plan(gpu.gpu(), wanted(gpu, "7g.141gb"));

        assertThat(impossible.evict()).hasSize(1);
        assertThat(impossible.reason())
                .endsWith("goes: it was not made or adopted by gpu-agent; adopt it to have it moved");
    }

    /** k8s-device-plugin: all was lost at a reboot; what was saved names exact places. */
    @Test
    void aSavedLayoutComesBackAtItsPlaces() {
        GpuInNotes empty = new GpuInNotes(Cards.H200);
        List<WantedInstance> saved = List.of(
                WantedInstance.at(empty.profile("1g.18gb"), 0),
                WantedInstance.at(empty.profile("1g.18gb"), 3),
                WantedInstance.at(empty.profile("3g.71gb"), 4));

        PlanOutcome plan = PLANNER.plan(empty.gpu(), new Wanted(saved));

        assertThat(after(plan)).containsExactly("1g.18gb@0", "1g.18gb@3", "3g.71gb@4");
    }

    /** k8s-device-plugin: live, beside a running 4g. */
    @Test
    void aLiveRepartitionLeavesTheRunningInstanceAlone() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).busy("4g.71gb@0").idle("2g.35gb@4 1g.18gb@6");

        Plan plan = (Plan) PLANNER.plan(gpu.gpu(), wanted(gpu, "4g.71gb", "1g.18gb", "1g.18gb", "1g.18gb"));

        assertThat(plan.destroyed()).extracting(GpuInstance::label).containsExactly("GPU instance 5 (2g.35gb at 4)");
        assertThat(plan.kept()).extracting(GpuInstance::id).containsExactly(1, 13);
        assertThat(plan.needsIdleGpu()).isFalse();
    }

    /** HAMi: instances came and went until nothing fitted any more although there was room. */
    @Test
    void comingAndGoingNeverEndsWhereALayoutExists() {
        Cuts cuts = new Cuts(Cards.H200, true);
        Random random = new Random(26);
        MigGpu gpu = new GpuInNotes(Cards.H200).gpu();
        List<WantedInstance> wanted = new ArrayList<>();
        for (int round = 0; round < 2000; round++) {
            List<WantedInstance> next = new ArrayList<>(wanted);
            if (!next.isEmpty() && random.nextBoolean()) {
                next.remove(random.nextInt(next.size()));
            } else {
                List<GpuProfile> profiles = Cards.H200.profiles();
                next.add(WantedInstance.of(profiles.get(random.nextInt(profiles.size()))));
            }
            List<Integer> counts = Cards.H200.profiles().stream()
                    .map(profile -> (int) next.stream()
                            .filter(one -> one.profile().equals(profile))
                            .count())
                    .toList();
            boolean exists = cuts.fewestInTheWay(0, 0, new Cuts.Wish(counts, 0)) == 0;

            PlanOutcome outcome = PLANNER.plan(gpu, new Wanted(next));

            assertThat(outcome instanceof Plan).as("%s", next).isEqualTo(exists);
            if (outcome instanceof Plan plan) {
                gpu = carriedOut(plan);
                wanted = next;
            }
        }
    }

    private static MigGpu carriedOut(Plan plan) {
        List<GpuInstance> instances = new ArrayList<>();
        for (PlannedInstance instance : plan.after()) {
            instances.add(new GpuInstance(
                    instances.size(),
                    instance.profile(),
                    instance.placement(),
                    List.of(GpuInNotes.full(instance.profile())),
                    Ownership.OWN,
                    List.of()));
        }
        return new MigGpu(plan.before().identity(), "NVIDIA H200", Cards.H200, instances);
    }

    /** NVIDIA's user guide: {@code -cgi 19,19,14,9} fails where {@code 9,19,14,19} works. */
    @Test
    void theOrderOfTheRequestDoesNotMatter() {
        GpuInNotes empty = new GpuInNotes(Cards.H200);

        PlanOutcome oneOrder = PLANNER.plan(empty.gpu(), wanted(empty, "id:19", "id:19", "id:14", "id:9"));
        PlanOutcome another = PLANNER.plan(empty.gpu(), wanted(empty, "id:9", "id:19", "id:14", "id:19"));

        assertThat(oneOrder).isEqualTo(another);
        assertThat(after(oneOrder)).containsExactly("2g.35gb@0", "1g.18gb@2", "1g.18gb@3", "3g.71gb@4");
    }

    @Test
    void anExactPlaceMovesAnIdleInstanceOfTheSameProfile() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200).idle("3g.71gb@0");

        Plan plan = (Plan) PLANNER.plan(
                gpu.gpu(),
                new Wanted(List.of(new WantedInstance(gpu.profile("3g.71gb"), OptionalInt.of(4), Optional.empty()))));

        assertThat(after(plan)).containsExactly("3g.71gb@4");
        assertThat(plan.cost().gpuInstances()).isEqualTo(1);
        assertThat(plan.needsIdleGpu()).isTrue();
    }

    @Test
    void nothingIsMadeInsideOfAForeignInstance() {
        GpuInNotes notes = new GpuInNotes(Cards.H200);
        GpuProfile half = notes.profile("3g.71gb");
        notes.add(new GpuInstance(1, half, new Placement(0, 4), List.of(), Ownership.FOREIGN, List.of()));

        Plan plan = (Plan) PLANNER.plan(notes.gpu(), wanted(notes, "3g.71gb"));

        assertThat(steps(plan))
                .containsExactly(
                        "create GPU instance 3g.71gb at 4",
                        "create the full compute instance of GPU instance (3g.71gb at 4)");
    }
}
