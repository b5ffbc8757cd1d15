// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compute instances. Their places in a 3g are those of NVIDIA's user guide for the A100; on an H200 they were not seen. */
class ComputePlanTest {
    private static final Planner PLANNER = new Planner(PinRules.STANDARD);

    private static ComputeProfile compute(int id, String name, int slices, int sm, int... starts) {
        return new ComputeProfile(
                id,
                name,
                slices,
                sm,
                IntStream.of(starts)
                        .mapToObj(start -> new Placement(start, slices))
                        .toList());
    }

    private static GpuProfile with(String name, ComputeProfile... computes) {
        GpuProfile p = new GpuInNotes(Cards.H200).profile(name);
        return new GpuProfile(
                p.id(),
                p.name(),
                p.slices(),
                p.most(),
                p.multiprocessors(),
                p.engines(),
                p.memoryMebibytes(),
                p.placements(),
                List.of(computes));
    }

    private static final GpuProfile HALF = with(
            "3g.71gb",
            compute(0, "1c.3g.71gb", 1, 16, 0, 1, 2),
            compute(1, "2c.3g.71gb", 2, 32, 0),
            compute(2, "3g.71gb", 3, 60, 0));
    private static final MigCard CARD = new MigCard(Cards.H200.profiles().stream()
            .map(profile -> profile.id() == HALF.id() ? HALF : profile)
            .toList());

    private static GpuInstance live(List<ComputeInstance> computes, Claim... claims) {
        return new GpuInstance(1, HALF, new Placement(4, 4), computes, Ownership.OWN, List.of(claims));
    }

    private static ComputeInstance part(int id, int slices, int start) {
        return new ComputeInstance(
                id, slices - 1, slices + "c.3g.71gb", slices, Optional.of(new Placement(start, slices)));
    }

    private static PlanOutcome plan(GpuInstance live, String... computes) throws MigRequestException {
        List<ComputeRequest> requests = List.of(computes).stream()
                .map(name -> new ComputeRequest(name, OptionalInt.empty()))
                .toList();
        Wanted wanted =
                Wanted.resolve(CARD, List.of(new InstanceRequest("3g", 1, OptionalInt.empty(), Optional.of(requests))));
        return PLANNER.plan(new GpuInNotes(CARD).add(live).gpu(), wanted);
    }

    private static List<String> steps(PlanOutcome outcome) {
        return ((Plan) outcome).steps().stream().map(Step::words).toList();
    }

    /** On an H200, the first profile of one slice takes 16 of the 26 SMs of a 1g.35gb. */
    @Test
    void theFullComputeInstanceIsTheOneWithTheMostMultiprocessors() {
        GpuProfile big = with("1g.35gb", compute(0, "1c.1g.35gb", 1, 16, 0), compute(7, "1g.35gb", 1, 26, 0));

        assertThat(big.fullCompute()).map(ComputeProfile::id).contains(7);
        assertThat(WantedCompute.full(big).profileId()).hasValue(7);
    }

    @Test
    void aFullComputeInstanceGivesWayToSmallerOnesWhileItsGpuInstanceStays() throws MigRequestException {
        PlanOutcome plan = plan(
                live(List.of(new ComputeInstance(0, 2, "3g.71gb", 3, Optional.of(new Placement(0, 3))))),
                "1c",
                "2c.3g.71gb");

        assertThat(steps(plan))
                .containsExactly(
                        "destroy compute instance 0 of GPU instance 1 (3g.71gb at 4)",
                        "create compute instance 2c.3g.71gb at 0 of GPU instance 1 (3g.71gb at 4)",
                        "create compute instance 1c.3g.71gb at 2 of GPU instance 1 (3g.71gb at 4)");
        assertThat(((Plan) plan).cost()).isEqualTo(new Cost(0, 1, List.of(0, 1, 1, 2, 2, 4, 1)));
    }

    @Test
    void computeInstancesThatAreWantedStay() throws MigRequestException {
        PlanOutcome plan = plan(live(List.of(part(0, 1, 2))), "2c", "1c");

        assertThat(steps(plan))
                .containsExactly("create compute instance 2c.3g.71gb at 0 of GPU instance 1 (3g.71gb at 4)");
    }

    @Test
    void anIdleComputeInstanceThatLiesWrongMovesAndABusyOneIsNamed() throws MigRequestException {
        Claim busy = new Claim.Runs(Holder.process(5, "train"), OptionalInt.of(0));

        PlanOutcome idle = plan(live(List.of(part(0, 1, 0))), "2c", "1c");
        PlanOutcome inUse = plan(live(List.of(part(0, 1, 0)), busy), "2c", "1c");

        assertThat(steps(idle)).first().isEqualTo("destroy compute instance 0 of GPU instance 1 (3g.71gb at 4)");
        assertThat(((Impossible) inUse).evict()).extracting(GpuInstance::id).containsExactly(1);
    }

    @Test
    void besideABusyComputeInstanceTheOthersMayChange() throws MigRequestException {
        Claim busy = new Claim.Runs(Holder.process(5, "train"), OptionalInt.of(1));

        PlanOutcome plan = plan(live(List.of(part(0, 2, 0), part(1, 1, 2)), busy), "1c", "1c", "1c");

        assertThat(steps(plan))
                .containsExactly(
                        "destroy compute instance 0 (2c.3g.71gb) of GPU instance 1 (3g.71gb at 4)",
                        "create compute instance 1c.3g.71gb at 1 of GPU instance 1 (3g.71gb at 4)",
                        "create compute instance 1c.3g.71gb at 0 of GPU instance 1 (3g.71gb at 4)");
        assertThat(((Plan) plan).affected()).isEmpty();
    }

    @Test
    void noMoreComputeInstancesGoThanMust() throws MigRequestException {
        PlanOutcome plan = plan(live(List.of(part(0, 1, 0), part(1, 1, 1))), "1c");

        assertThat(steps(plan))
                .containsExactly("destroy compute instance 1 (1c.3g.71gb) of GPU instance 1 (3g.71gb at 4)");
    }

    /** The node of the GPU instance is not that of one of its compute instances. */
    @Test
    void whoHoldsTheGpuInstanceKeepsAllOfItsComputeInstances() throws MigRequestException {
        Claim held = new Claim.HoldsNode(Holder.process(2, "dcgm"), OptionalInt.empty());

        PlanOutcome plan = plan(live(List.of(part(0, 2, 0), part(1, 1, 2)), held), "1c", "1c", "1c");

        assertThat(((Impossible) plan).reason())
                .endsWith("unless GPU instance 1 (3g.71gb at 4) goes: process 2 (dcgm) holds its capability node open");
    }

    @Test
    void whereNothingIsSaidOfThemTheComputeInstancesStayAsTheyAre() throws MigRequestException {
        Wanted wanted = Wanted.resolve(CARD, List.of(InstanceRequest.of("3g")));
        GpuInstance split = live(List.of(part(0, 2, 0), part(1, 1, 2)));

        PlanOutcome plan = PLANNER.plan(new GpuInNotes(CARD).add(split).gpu(), wanted);

        assertThat(((Plan) plan).isNoChange()).isTrue();
    }

    @Test
    void untilTheDriverCanBeAskedTheLargestComputeInstancesComeFirstAndHaveNoPlace() throws MigRequestException {
        Wanted wanted = Wanted.resolve(
                Cards.H200,
                List.of(new InstanceRequest(
                        "3g",
                        1,
                        OptionalInt.empty(),
                        Optional.of(List.of(
                                new ComputeRequest("1c.3g.71gb", OptionalInt.empty()),
                                new ComputeRequest("2c", OptionalInt.empty()))))));

        PlanOutcome plan = PLANNER.plan(new GpuInNotes(Cards.H200).gpu(), wanted);

        assertThat(steps(plan))
                .containsExactly(
                        "create GPU instance 3g.71gb at 4",
                        "create compute instance 2c.3g.71gb of GPU instance (3g.71gb at 4)",
                        "create compute instance 1c.3g.71gb of GPU instance (3g.71gb at 4)");
    }

    @Test
    void ofTwoInstancesTheOneWithFewerComputeInstancesGoes() {
        GpuInNotes gpu = new GpuInNotes(Cards.H200);
        GpuProfile half = gpu.profile("3g.71gb");
        gpu.add(new GpuInstance(
                        1, half, new Placement(0, 4), List.of(part(0, 1, 0), part(1, 1, 1)), Ownership.OWN, List.of()))
                .idle("3g.71gb@4");

        Plan plan = (Plan) PLANNER.plan(gpu.gpu(), new Wanted(List.of(WantedInstance.of(half))));

        assertThat(plan.kept()).extracting(GpuInstance::id).containsExactly(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3g.71gb | 2c 2c        | 2c.3g.71gb + 2c.3g.71gb need 4 of the 3 compute slices of 3g.71gb
            3g.71gb | 4c           | a GPU instance 3g.71gb has no compute instance "4c"; it has 1c.3g.71gb, 2c.3g.71gb, 3g.71gb
            3g.71gb | 1c.2g.35gb   | a GPU instance 3g.71gb has no compute instance "1c.2g.35gb"; it has 1c.3g.71gb, 2c.3g.71gb, 3g.71gb
            """)
    void computeInstancesThatCannotBeGetOneSentence(String profile, String computes, String sentence) {
        List<ComputeRequest> requests = List.of(computes.split(" ", -1)).stream()
                .map(name -> new ComputeRequest(name, OptionalInt.empty()))
                .toList();
        InstanceRequest request = new InstanceRequest(profile, 1, OptionalInt.empty(), Optional.of(requests));

        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> WantedInstance.resolve(CARD, request))
                .withMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            3g.71gb | 0 | - | count 0 of 3g.71gb is not possible; write 1 or more, or leave the entry out
            3g.71gb | 3 | - | this GPU has room for 2 3g.71gb, not for 3
            3g.71gb | 1 | 2 | 3g.71gb cannot start at memory slice 2; it can at 0, 4
            3g.71gb | 2 | 4 | 2 3g.71gb cannot all start at memory slice 4; write an entry for each start
            """)
    void instancesThatCannotBeGetOneSentence(String profile, int count, Integer start, String sentence) {
        InstanceRequest request = new InstanceRequest(
                profile, count, start == null ? OptionalInt.empty() : OptionalInt.of(start), Optional.empty());

        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> WantedInstance.resolve(Cards.H200, request))
                .withMessage(sentence);
    }

    @Test
    void aComputeInstanceAtAPlaceItCannotHaveGetsOneSentence() {
        ComputeRequest request = new ComputeRequest("2c", OptionalInt.of(1));

        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> WantedCompute.resolve(HALF, request))
                .withMessage("2c.3g.71gb cannot start at compute slice 1 of the 3 of 3g.71gb");
    }
}
