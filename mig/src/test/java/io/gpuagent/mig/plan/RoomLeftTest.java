// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What still fits: compared with all layouts there are, and with what is known of fragmentation. */
class RoomLeftTest {
    static final List<MigCard> CARDS = List.of(Cards.H200, Cards.A30);

    @Test
    void anEmptyCardHasRoomForAsManyAsTheDriverAllows() {
        assertThat(room(new GpuInNotes(Cards.H200).gpu()))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "7g.141gb", 1,
                        "4g.71gb", 1,
                        "3g.71gb", 2,
                        "2g.35gb", 3,
                        "1g.35gb", 4,
                        "1g.18gb", 7,
                        "1g.18gb+me", 1));
    }

    @Test
    void whereASmallInstanceLiesDecidesWhatStillFits() {
        assertThat(room(new GpuInNotes(Cards.H200).idle("1g.18gb@6").gpu()))
                .containsEntry("4g.71gb", 1)
                .containsEntry("3g.71gb", 1)
                .containsEntry("2g.35gb", 3);
        assertThat(room(new GpuInNotes(Cards.H200).idle("1g.18gb@0").gpu()))
                .containsEntry("4g.71gb", 0)
                .containsEntry("3g.71gb", 1)
                .containsEntry("2g.35gb", 2);
    }

    @Test
    void enginesThatAreTakenLeaveNoRoomHoweverManySlicesAreFree() {
        assertThat(room(new GpuInNotes(Cards.RTX_PRO_6000)
                        .idle("1g.24gb+me.all@0")
                        .gpu()))
                .containsEntry("1g.24gb", 0)
                .containsEntry("1g.24gb-me", 3);
    }

    @ParameterizedTest
    @FieldSource("CARDS")
    void asManyFitAsTheLargestLayoutAddsThatHasAllThereIs(MigCard card) {
        Cuts cuts = new Cuts(card, true);
        for (long layout : cuts.layouts()) {
            String notes = cuts.cuts(layout).stream()
                    .map(cut -> cut.profile().name() + "@" + cut.place().start())
                    .collect(Collectors.joining(" "));
            for (RoomLeft room : RoomLeft.on(new GpuInNotes(card).idle(notes).gpu())) {
                long most = cuts.layouts().stream()
                        .filter(larger -> (larger & layout) == layout)
                        .map(larger -> cuts.cuts(larger & ~layout))
                        .filter(added ->
                                added.stream().allMatch(cut -> cut.profile().equals(room.profile())))
                        .mapToLong(List::size)
                        .max()
                        .orElseThrow();
                assertThat(room.count())
                        .as("%s beside %s", room.profile().name(), notes)
                        .isEqualTo((int) most);
            }
        }
    }

    private static Map<String, Integer> room(MigGpu gpu) {
        return RoomLeft.on(gpu).stream()
                .collect(Collectors.toMap(left -> left.profile().name(), RoomLeft::count));
    }
}
