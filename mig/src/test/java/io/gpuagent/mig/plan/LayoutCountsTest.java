// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How many layouts there are; that the planner, which tries them all, can do so, rests on it. */
class LayoutCountsTest {
    static Stream<Arguments> cards() {
        MigCard rtxPlain = new MigCard(Cards.RTX_PRO_6000.profiles().stream()
                .filter(profile -> profile.name().matches("[0-9]g\\.[0-9]+gb"))
                .toList());
        MigCard h200WithoutMe = new MigCard(Cards.H200.profiles().stream()
                .filter(profile -> !profile.name().endsWith("+me"))
                .toList());
        return Stream.of(
                Arguments.of("H200", Cards.H200, 2319, 239, 128),
                Arguments.of("H200 without +me", h200WithoutMe, 723, 78, 78),
                Arguments.of("A30", Cards.A30, 76, 17, 20),
                Arguments.of("RTX PRO 6000, plain", rtxPlain, 26, 5, 10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cards")
    void thereAreSoManyLayouts(String name, MigCard card, int layouts, int maximal, int multisets) {
        Cuts cuts = new Cuts(card, true);

        assertThat(cuts.layouts()).hasSize(layouts);
        assertThat(cuts.maximal()).hasSize(maximal);
        assertThat(cuts.multisets()).hasSize(multisets);
    }

    @Test
    void enginesForbidNoLayoutOfAnH200ButThoseOfAnA30WithTwoInstancesOfItsOneJpegDecoder() {
        assertThat(new Cuts(Cards.H200, false).layouts()).hasSize(2319);
        assertThat(new Cuts(Cards.A30, false).layouts()).hasSize(76 + 8);
    }

    @Test
    void eachOfTheLayoutsIsReachedFromAnEmptyCard() {
        Cuts cuts = new Cuts(Cards.H200, true);
        MigGpu empty = new GpuInNotes(Cards.H200).gpu();

        assertThat(cuts.layouts()).hasSize(2319).allSatisfy(layout -> {
            List<WantedInstance> exact = cuts.cuts(layout).stream()
                    .map(cut -> WantedInstance.at(cut.profile(), cut.place().start()))
                    .toList();
            Plan plan = (Plan) new Planner(PinRules.STANDARD).plan(empty, new Wanted(exact));
            assertThat(plan.after())
                    .extracting(made -> new Cuts.Cut(made.profile(), made.placement()))
                    .containsExactlyInAnyOrderElementsOf(cuts.cuts(layout));
        });
    }

    /** NVIDIA's count of instances follows from places and engines on each card whose table is known. */
    @Test
    void theDriversCountsFollowFromPlacesAndEngines() {
        for (MigCard card :
                List.of(Cards.H200, Cards.H100, Cards.A100, Cards.A100_80GB, Cards.A30, Cards.RTX_PRO_6000)) {
            for (GpuProfile profile : card.profiles()) {
                int count = 0;
                while (count < profile.placements().size()
                        && profile.engines().times(count + 1).isWithin(card.engines())) {
                    count++;
                }
                assertThat(count).as(profile.name()).isEqualTo(profile.most());
            }
        }
    }
}
