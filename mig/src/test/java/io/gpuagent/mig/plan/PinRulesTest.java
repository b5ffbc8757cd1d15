// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.MigRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What must stay, and how it is said. */
class PinRulesTest {
    private static final OptionalInt WHOLE = OptionalInt.empty();
    private static final Holder TRAINING =
            new Holder(OptionalLong.of(4711), "python", Optional.of("train.service"), Optional.empty());
    private static final Holder CONTAINER =
            new Holder(OptionalLong.empty(), "", Optional.empty(), Optional.of("3f1c9a"));

    static Stream<Arguments> claims() {
        return Stream.of(
                Arguments.of(
                        new Claim.Runs(TRAINING, OptionalInt.of(0)),
                        PinKind.BUSY,
                        "is busy: process 4711 (python, unit train.service) runs on it"),
                Arguments.of(
                        new Claim.HoldsNode(Holder.process(812, "nv-hostengine"), WHOLE),
                        PinKind.HELD,
                        "is held: process 812 (nv-hostengine) holds its capability node open"),
                Arguments.of(
                        new Claim.NamesDevice(TRAINING, OptionalInt.of(0), "CUDA_VISIBLE_DEVICES"),
                        PinKind.RESERVED,
                        "is reserved: process 4711 (python, unit train.service) names it in CUDA_VISIBLE_DEVICES"),
                Arguments.of(
                        new Claim.InContainer(CONTAINER, WHOLE),
                        PinKind.RESERVED,
                        "is reserved: container 3f1c9a was given it"),
                Arguments.of(
                        new Claim.RanLately(Duration.ofSeconds(599), WHOLE),
                        PinKind.RESERVED,
                        "is reserved: something ran on it 9 min ago"),
                Arguments.of(
                        new Claim.MpsDaemon(Holder.process(900, "nvidia-cuda-mps-control"), OptionalInt.of(0), 2),
                        PinKind.RESERVED,
                        "is reserved: the MPS daemon, process 900 (nvidia-cuda-mps-control), stands on it with 2 clients"),
                Arguments.of(
                        new Claim.NotVisible("other users' processes need root"),
                        PinKind.UNKNOWN,
                        "is of unknown use: who uses it cannot be seen: other users' processes need root"));
    }

    private static GpuInNotes one(Claim... claims) {
        return new GpuInNotes(Cards.H200).with("1g.18gb@4", claims);
    }

    private static Wanted half(GpuInNotes gpu) {
        return new Wanted(List.of(WantedInstance.at(gpu.profile("3g.71gb"), 4)));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void whoeverClaimsAnInstanceKeepsItInItsPlace(Claim claim, PinKind kind, String words) {
        GpuInNotes gpu = one(claim);

        PlanOutcome outcome = new Planner(PinRules.STANDARD).plan(gpu.gpu(), half(gpu));

        assertThat(outcome).isInstanceOf(Impossible.class);
        assertThat(outcome.pins()).singleElement().satisfies(pin -> {
            assertThat(pin.kind()).isEqualTo(kind);
            assertThat(pin.sentence()).isEqualTo("GPU instance 11 (1g.18gb at 4) " + words);
        });
    }

    @ParameterizedTest
    @MethodSource("claims")
    void reservedOnesMoveWhenTheUserSaysSoAndTheirHoldersAreNamed(Claim claim, PinKind kind) {
        GpuInNotes gpu = one(claim);

        PlanOutcome outcome = new Planner(PinRules.STANDARD.includingReserved()).plan(gpu.gpu(), half(gpu));

        assertThat(outcome instanceof Plan).isEqualTo(kind == PinKind.RESERVED);
        if (outcome instanceof Plan plan) {
            assertThat(plan.affected()).extracting(Affected::claim).containsExactly(claim);
        }
    }

    @Test
    void aReservedObstacleComesWithTheOptionThatMovesIt() {
        GpuInNotes gpu = one(new Claim.InContainer(CONTAINER, WHOLE));

        Impossible impossible = (Impossible) new Planner(PinRules.STANDARD).plan(gpu.gpu(), half(gpu));

        assertThat(impossible.reason()).endsWith("; --include-reserved moves it all the same");
    }

    @Test
    void whatNobodySeesMovesOnlyWhenTheUserSaysSo() {
        GpuInNotes gpu = one(new Claim.NotVisible("no privilege"));

        assertThat(new Planner(PinRules.STANDARD.includingUnknown()).plan(gpu.gpu(), half(gpu)))
                .isInstanceOf(Plan.class);
    }

    @Test
    void afterTheGraceAnInstanceIsIdle() {
        GpuInNotes gpu = one(new Claim.RanLately(PinRules.IDLE_GRACE, WHOLE));

        Plan plan = (Plan) new Planner(PinRules.STANDARD).plan(gpu.gpu(), half(gpu));

        assertThat(plan.affected()).isEmpty();
        assertThat(plan.pins()).isEmpty();
    }

    @Test
    void anMpsDaemonWithoutClientsIsInNobodysWayButIsNamed() {
        Claim daemon = new Claim.MpsDaemon(Holder.process(900, "nvidia-cuda-mps-control"), OptionalInt.of(0), 0);
        GpuInNotes gpu = one(daemon);

        Plan plan = (Plan) new Planner(PinRules.STANDARD).plan(gpu.gpu(), half(gpu));

        assertThat(plan.affected())
                .extracting(Affected::sentence)
                .containsExactly("GPU instance 11 (1g.18gb at 4): the MPS daemon, process 900"
                        + " (nvidia-cuda-mps-control), stands on it with no client");
    }

    @Test
    void whatIsToBeKeptStaysThoughNobodyWantsIt() {
        GpuInNotes gpu = one();
        Wanted wanted = new Wanted(List.of(WantedInstance.of(gpu.profile("3g.71gb"))));

        Plan plan = (Plan) new Planner(PinRules.STANDARD.keeping(Set.of(11))).plan(gpu.gpu(), wanted);

        assertThat(plan.destroyed()).isEmpty();
        assertThat(plan.created())
                .singleElement()
                .satisfies(made -> assertThat(made.placement().start()).isZero());
    }

    @Test
    void anInstanceToKeepThatIsNotThereIsAMistake() {
        MigGpu gpu = one().gpu();

        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> PinRules.STANDARD.keeping(Set.of(12)).check(gpu))
                .withMessage("there is no GPU instance 12 to keep on GPU 0; it has 11");
    }

    /** Of two ways out the one is named whose holder is easier to move. */
    @Test
    void reservedInstancesAreNamedBeforeBusyOnes() {
        GpuInNotes gpu =
                new GpuInNotes(Cards.H200).busy("3g.71gb@0").with("3g.71gb@4", new Claim.InContainer(CONTAINER, WHOLE));
        Wanted wanted = new Wanted(
                List.of(WantedInstance.of(gpu.profile("3g.71gb")), WantedInstance.of(gpu.profile("2g.35gb"))));

        Impossible impossible = (Impossible) new Planner(PinRules.STANDARD).plan(gpu.gpu(), wanted);

        assertThat(impossible.evict()).extracting(i -> i.placement().start()).containsExactly(4);
    }
}
