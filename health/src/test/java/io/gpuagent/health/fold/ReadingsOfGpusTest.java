// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.RowRemap;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What GPUs say of themselves when they are read. */
class ReadingsOfGpusTest {
    private final Scene node = Scene.well();

    @Test
    void aLostGpuIsLostAndComesBackWhenItAnswers() {
        node.poll(node.other(GpuCondition.OK)).poll(Scene.LOST);
        assertThat(node.said()).isEqualTo("lost reboot gpu_lost");
        assertThat(Scene.said(node.verdict(Scene.OTHER))).as("the other GPU").isEqualTo("ok none");
        assertThat(node.saidOfNode()).isEqualTo("lost reboot");
        node.poll(node.good());
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void aGpuThatNeedsAResetIsCritical() {
        node.poll(new GpuCondition(GpuCondition.State.RESET_REQUIRED, null));
        assertThat(node.said()).isEqualTo("critical drain_and_reset gpu_reset_required");
    }

    /** A reset needs every client to let go; what is known of the GPU stays until it is read again. */
    @Test
    void aGpuThatTheAgentHasLetGoOfIsNotKnownAndLosesNothing() {
        node.xid("95, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No").poll(node.reading(1, false, false));
        node.pass(Duration.ofSeconds(5)).poll(new GpuCondition(GpuCondition.State.RELEASED, null));
        assertThat(node.said()).isEqualTo("critical drain_and_reset xid_95 recovery_action gpu_released");
        node.pass(Duration.ofSeconds(30)).poll(node.good());
        assertThat(node.said()).isEqualTo("ok none");
        node.poll(new GpuCondition(GpuCondition.State.RELEASED, null));
        assertThat(node.said()).isEqualTo("unknown none gpu_released");
    }

    @Test
    void aFailureOrTwoAreNothingAndThreeAreUnknownButNeverCritical() {
        node.poll(Scene.FAILING).poll(Scene.FAILING);
        assertThat(node.said()).isEqualTo("ok none");
        node.poll(Scene.FAILING);
        assertThat(node.said()).isEqualTo("unknown none gpu_failing");
        assertThat(node.verdict().isSchedulable()).isFalse();
        node.poll(node.good());
        assertThat(node.said()).isEqualTo("ok none");
    }

    /** A call took 46 s under a storm of corrected errors, and came back. */
    @Test
    void aCallThatDoesNotComeBackIsUnresponsiveAndAfterFiveMinutesForARestart() {
        node.poll(Scene.UNRESPONSIVE);
        assertThat(node.said()).isEqualTo("unresponsive none gpu_unresponsive");
        node.pass(Duration.ofSeconds(46)).poll(node.good());
        assertThat(node.said()).isEqualTo("ok none");
        node.passWith(GpuPoll.of(Scene.GPU, Scene.UNRESPONSIVE), Duration.ofMinutes(6));
        assertThat(node.said()).isEqualTo("unresponsive reboot gpu_unresponsive");
    }

    @Test
    void whenNoGpuAnswersTheNodeHangs() {
        node.poll(node.other(GpuCondition.OK));
        node.poll(Scene.UNRESPONSIVE).pass(Duration.ofSeconds(1));
        assertThat(node.view().reasons()).isEmpty();
        node.poll(node.other(Scene.UNRESPONSIVE)).pass(Duration.ofSeconds(1));
        assertThat(node.saidOfNode()).isEqualTo("unresponsive reboot node_unresponsive");
    }

    @Test
    void aGpuThatNobodyHasReadYetOrForLongIsNotKnown() {
        Scene fresh = Scene.well();
        fresh.kernel("NVRM: GPU at PCI:0000:3b:00: " + Scene.OTHER);
        assertThat(Scene.said(fresh.verdict(Scene.OTHER))).isEqualTo("unknown none not_read_yet");
        node.pass(Duration.ofSeconds(59));
        assertThat(node.said()).isEqualTo("ok none");
        node.pass(Duration.ofSeconds(2));
        assertThat(node.said()).isEqualTo("unknown none gpu_not_read");
    }

    @Test
    void aPendingRemapIsDegradedUntilTheFlagIsGone() {
        node.xid("63, pid=1896, Row Remapper: New row marked for remapping, reset gpu to activate.");
        node.poll(node.reading(0, true, false));
        assertThat(node.said()).startsWith("degraded drain_and_reset xid_63 row_remap_pending");
        // MIG instances: the driver does not tell of rows while there are any.
        node.passWith(node.reading(OptionalInt.of(0), Optional.empty()), Duration.ofHours(1));
        assertThat(node.said()).startsWith("degraded drain_and_reset xid_63 row_remap_pending");
        node.poll(node.good());
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void aFailedRemapIsForLifeAndAnAcknowledgementHoldsUntilThereIsNewEvidence() {
        node.poll(node.reading(0, false, true));
        assertThat(node.said()).isEqualTo("critical rma_check row_remap_failed");
        String incident = node.incident("row_remap_failed").id();
        node.ack(incident, "ops", "board is ordered");
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.verdict().reasons().getFirst().acknowledged())
                .get()
                .satisfies(by -> assertThat(by.why()).isEqualTo("board is ordered"));

        node.pass(Duration.ofMinutes(1)).reboot().poll(node.reading(0, false, true));
        assertThat(node.said()).as("after a restart").isEqualTo("ok none");

        node.poll(node.reading(OptionalInt.of(0), Optional.of(new RowRemap(0, 2, false, true))));
        assertThat(node.said()).as("another row").isEqualTo("critical rma_check row_remap_failed");
        assertThat(node.incident("row_remap_failed").id()).isEqualTo(incident);
    }

    @Test
    void whatAReadingSaysRightNowCannotBeAcknowledgedAway() {
        node.poll(Scene.LOST);
        node.ack(node.incident("gpu_lost").id(), "ops", "I know");
        assertThat(node.said()).isEqualTo("lost reboot gpu_lost");
        assertThat(node.incident("gpu_lost").acknowledged()).isPresent();
    }

    @Test
    void anXidThatWasAcknowledgedCountsAgainWhenItComesAgain() {
        node.xid("64, Row Remapper: failed");
        node.ack(node.incident("xid_64").id(), "ops", "seen");
        assertThat(node.said()).isEqualTo("ok none");
        node.xid("64, Row Remapper: failed");
        assertThat(node.said()).isEqualTo("critical rma_check xid_64");
        assertThat(node.facts().events())
                .extracting(HealthEvent::kind)
                .containsExactly(
                        HealthEvent.Kind.OPENED,
                        HealthEvent.Kind.ACKNOWLEDGED,
                        HealthEvent.Kind.CLEARED,
                        HealthEvent.Kind.OPENED);
    }

    @Test
    void aThousandCorrectedErrorsInAnHourAreNothingAndSeventeenThousandASecondAreMuch() {
        for (int i = 0; i < 240; i++) {
            node.pass(Duration.ofSeconds(15)).poll(node.with(Scene.ecc(5L * i, 0)));
        }
        assertThat(node.said()).isEqualTo("ok none");
        long corrected = 1_200;
        for (int i = 0; i < 2; i++) {
            corrected += 17_700 * 15;
            node.pass(Duration.ofSeconds(15)).poll(node.with(Scene.ecc(corrected, 0)));
        }
        assertThat(node.said()).isEqualTo("degraded none ecc_corrected_rate");
        for (int i = 0; i < 4; i++) {
            node.pass(Duration.ofSeconds(15)).poll(node.with(Scene.ecc(corrected, 0)));
        }
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void uncorrectableErrorsAreSeenWithoutAnyXid() {
        node.poll(node.with(Scene.ecc(0, 4)));
        assertThat(node.said()).as("what was counted before").isEqualTo("ok none");
        node.pass(Duration.ofSeconds(15)).poll(node.with(Scene.ecc(0, 5)));
        assertThat(node.said()).isEqualTo("degraded none ecc_uncorrected");
    }

    @Test
    void aCounterThatGoesBackIsAResetAndNoGrowth() {
        node.poll(node.with(Scene.ecc(9_000_000, 7)));
        node.xid("95, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No");
        assertThat(node.verdict().state()).isEqualTo(HealthState.CRITICAL);
        node.pass(Duration.ofMinutes(2)).poll(node.with(Scene.ecc(3, 0)));
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.incident("xid_95").clearedBy()).contains("a reset or restart, and a clean reading after it");
    }

    @Test
    void heatAndThePowerSuppliesBrakeAreShares() {
        long second = 1_000_000_000L;
        for (int i = 0; i < 3; i++) {
            node.pass(Duration.ofSeconds(15)).poll(node.withThrottle(second * i, 5 * second * i));
        }
        assertThat(node.said()).isEqualTo("degraded inspect_hw power_brake_slowdown");
        Scene hot = Scene.well();
        for (int i = 0; i < 3; i++) {
            hot.pass(Duration.ofSeconds(15)).poll(hot.withThrottle(3 * second * i, 0));
        }
        assertThat(hot.said()).isEqualTo("warn inspect_hw thermal_slowdown");
    }

    private GpuPoll pcie(int generation, double busy) {
        return node.withLinks(
                new GpuPoll.Pcie(
                        Optional.of(new PcieLink(generation, 16)),
                        Optional.of(new PcieLink(5, 16)),
                        OptionalDouble.of(busy),
                        OptionalLong.empty()),
                List.of(),
                Optional.empty());
    }

    @Test
    void aNarrowLinkCountsOnABusyGpuOnly() {
        node.passWith(pcie(1, 0), Duration.ofMinutes(10));
        assertThat(node.said()).as("idle").isEqualTo("ok none");
        node.passWith(pcie(3, 1), Duration.ofSeconds(45));
        assertThat(node.said()).isEqualTo("degraded inspect_hw pcie_link_below_max");
        node.poll(pcie(1, 0));
        assertThat(node.said()).as("idle again says nothing").isEqualTo("degraded inspect_hw pcie_link_below_max");
        node.poll(pcie(5, 1));
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void replaysCountByTheirRate() {
        for (int i = 0; i < 3; i++) {
            node.pass(Duration.ofSeconds(15))
                    .poll(node.withLinks(
                            new GpuPoll.Pcie(
                                    Optional.of(new PcieLink(5, 16)),
                                    Optional.empty(),
                                    OptionalDouble.empty(),
                                    OptionalLong.of(1_000 + i * 100L)),
                            List.of(),
                            Optional.empty()));
        }
        assertThat(node.said()).isEqualTo("warn inspect_hw pcie_replay_rate");
    }

    private GpuPoll nvlink(boolean isUp, long crc, long failed, Optional<GpuPoll.Fabric> fabric) {
        return node.withLinks(
                GpuPoll.Pcie.UNREAD,
                List.of(new GpuPoll.Nvlink(3, isUp, OptionalLong.of(crc), OptionalLong.of(failed))),
                fabric);
    }

    @Test
    void nvlinksAreUpAndQuietOrNot() {
        node.passWith(nvlink(true, 500, 1, Optional.empty()), Duration.ofMinutes(1));
        assertThat(node.said()).isEqualTo("ok none");
        node.passWith(nvlink(false, 500, 1, Optional.empty()), Duration.ofSeconds(30));
        assertThat(node.said()).isEqualTo("degraded inspect_hw nvlink_down");
        node.passWith(nvlink(true, 500, 2, Optional.empty()), Duration.ofSeconds(15));
        assertThat(node.said()).isEqualTo("degraded drain_and_reset nvlink_recovery_failed");
    }

    @Test
    void aFabricIsGivenTimeToBeJoinedAndWhatItDoesNotKnowIsNotBad() {
        GpuPoll joining = nvlink(true, 0, 0, Optional.of(new GpuPoll.Fabric(2, 0)));
        node.passWith(joining, Duration.ofMinutes(9));
        assertThat(node.said()).isEqualTo("ok none");
        node.passWith(joining, Duration.ofMinutes(2));
        assertThat(node.said()).isEqualTo("critical none fabric_not_joined");
        node.poll(nvlink(true, 0, 0, Optional.of(new GpuPoll.Fabric(3, 0b10_10_10_01))));
        assertThat(node.said()).isEqualTo("degraded inspect_hw fabric_bandwidth_degraded");
        node.poll(nvlink(true, 0, 0, Optional.of(new GpuPoll.Fabric(3, 0b10_10_10_10))));
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void memoryThatCannotBeRepairedIsForTheBoard() {
        node.poll(node.with(new GpuPoll.Memory(
                OptionalLong.empty(), OptionalLong.empty(), Optional.of(true), Optional.of(true), Optional.of(true))));
        assertThat(node.said())
                .isEqualTo("critical rma_check sram_threshold_exceeded memory_unrepairable repair_pending");
    }

    @Test
    void aMigModeThatWaitsForAResetIsAWarning() {
        node.poll(node.withMig(Optional.of(true), Map.of()));
        assertThat(node.said()).isEqualTo("warn drain_and_reset mig_mode_pending");
        node.poll(node.withMig(Optional.of(false), Map.of()));
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void nvmlSaysThatAGpuIsNotAvailable() {
        node.see(new Observation.NvmlEvent(node.now(), Scene.GPU, 0x4000, 0, OptionalInt.empty(), OptionalInt.empty()));
        assertThat(node.said()).isEqualTo("critical none gpu_unavailable");
        node.see(new Observation.NvmlEvent(node.now(), Scene.GPU, 0x10, 0, OptionalInt.empty(), OptionalInt.empty()));
        assertThat(node.verdict().xids()).as("a clock event is no Xid 0").isEmpty();
    }
}
