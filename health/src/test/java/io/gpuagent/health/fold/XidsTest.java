// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.health.AffectedProcess;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.SourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Xids into incidents and verdicts. */
class XidsTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private final Scene node = Scene.well();

    @Test
    void aGpuOfWhichNothingIsSaidIsWell() {
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.saidOfNode()).isEqualTo("ok none");
        assertThat(node.verdict().busId()).contains("00000000:9B:00.0");
    }

    /** One program's page fault is no reason to take a GPU out of use, and it is over when nothing more comes. */
    @Test
    void aPageFaultIsTheProgramsAndIsOverAfterTenCleanMinutes() {
        node.xid("31, pid=1942, name=llama-bench, MMU Fault");
        assertThat(node.said()).isEqualTo("warn restart_app xid_31");
        assertThat(node.verdict().isSchedulable()).isTrue();
        assertThat(node.incident("xid_31").processes())
                .containsExactly(new AffectedProcess(1942, Optional.of("llama-bench")));

        node.passWith(node.good(), TEN_MINUTES.minusSeconds(30));
        assertThat(node.said()).isEqualTo("warn restart_app xid_31");
        node.passWith(node.good(), Duration.ofMinutes(1));
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.incident("xid_31").clearedBy())
                .contains("ten minutes without another one while the GPU answers");
    }

    @Test
    void nothingIsClearedByTimeAloneWhileTheGpuDoesNotAnswer() {
        node.xid("31, pid=1942, name=llama-bench, MMU Fault");
        node.passWith(GpuPoll.of(Scene.GPU, Scene.UNRESPONSIVE), Duration.ofMinutes(30));
        assertThat(node.incident("xid_31").isOpen()).isTrue();
    }

    /** Other tools take a GPU with an Xid 94 out for good. */
    @Test
    void aContainedMemoryErrorLeavesTheGpuUsableUntilItsRowIsRemapped() {
        node.xid("94, pid=7194, name=train, Contained: CE User Channel (0x9). RST: No, D-RST: No");
        node.poll(node.reading(0, true, false));
        assertThat(node.said()).isEqualTo("degraded drain_and_reset row_remap_pending xid_94");
        assertThat(node.verdict().isSchedulable()).isTrue();

        node.passWith(node.reading(0, true, false), Duration.ofHours(1));
        assertThat(node.verdict().state()).isEqualTo(HealthState.DEGRADED);
        node.see(new Observation.ResetSeen(node.now(), Scene.GPU, "released for a reset"));
        node.passWith(node.good(), Duration.ofSeconds(15));
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void anXidWithoutAReasonToDoubtItAsksForWhatTheTableSays() {
        node.poll(node.reading(OptionalInt.empty(), Optional.empty()));
        Scene noField = Scene.empty();
        noField.see(new Observation.Started(noField.now(), Scene.BOOT));
        noField.source(Sources.KERNEL_LOG, SourceStatus.State.OK, "");
        noField.poll(noField.reading(OptionalInt.empty(), Optional.empty()));
        noField.xid("48, An uncorrectable double bit error");
        noField.passWith(noField.reading(OptionalInt.empty(), Optional.empty()), Duration.ofMinutes(30));
        assertThat(noField.said()).as("a driver without field 230").isEqualTo("critical drain_and_reset xid_48");
    }

    @Test
    void whatTheGpuAsksForOutranksTheTable() {
        node.xid("48, An uncorrectable double bit error");
        assertThat(node.said()).isEqualTo("critical drain_and_reset xid_48");
        node.pass(Duration.ofSeconds(15)).poll(node.good());
        assertThat(node.said()).isEqualTo("warn none xid_48");

        Scene asks = Scene.well();
        asks.xid("109, pid=1797828, name=pt_main_thread, errorString CTX SWITCH TIMEOUT, Info 0x58005");
        assertThat(asks.verdict().state()).isEqualTo(HealthState.WARN);
        asks.pass(Duration.ofSeconds(15)).poll(asks.reading(1, false, false));
        assertThat(asks.said()).isEqualTo("critical drain_and_reset xid_109 recovery_action");
    }

    @Test
    void theRecoveryActionIsFollowedThereAndBack() {
        node.xid("154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)");
        assertThat(node.said()).isEqualTo("critical drain_and_reset recovery_action");
        node.xid("154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)");
        assertThat(node.said()).isEqualTo("ok none");
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 77})
    void aRecoveryActionOfADriverToComeIsShownAsItsNumber(int action) {
        node.poll(node.reading(action, false, false));
        assertThat(node.said()).isEqualTo("degraded none recovery_action");
        assertThat(node.verdict().reasons().getFirst().sentence()).contains("recovery action " + action);
    }

    /** An Xid 95 came while the agent was off: the counters are zero, and the GPU still asks for a reset. */
    @Test
    void aGpuThatAsksForAResetAtTheStartIsCriticalWithoutAnyXid() {
        Scene late = Scene.well();
        late.poll(late.reading(1, false, false));
        assertThat(late.said()).isEqualTo("critical drain_and_reset recovery_action");
    }

    @Test
    void theSameErrorFromBothSourcesIsOneIncidentInEitherOrder() {
        node.xid("62, pid=7, name=a, PMU Halt");
        node.pass(Duration.ofMillis(1900)).nvml(62);
        assertThat(node.count(62)).isEqualTo(1);
        assertThat(node.incident("xid_62").sources())
                .containsExactlyInAnyOrder(HealthSource.KMSG, HealthSource.NVML_EVENT);
        assertThat(node.incident("xid_62").count()).isEqualTo(1);

        Scene reverse = Scene.well();
        reverse.nvml(62).pass(Duration.ofMillis(1900)).xid("62, pid=7, name=a, PMU Halt");
        assertThat(reverse.count(62)).isEqualTo(1);
        assertThat(reverse.incident("xid_62").sources()).hasSize(2);
        assertThat(reverse.incident("xid_62").text()).isEqualTo("PMU Halt");
        assertThat(reverse.incident("xid_62").processes()).hasSize(1);
    }

    @Test
    void moreThanTwoSecondsApartTheyAreTwoErrors() {
        node.xid("31, pid=7, name=a, MMU Fault");
        node.pass(Duration.ofMillis(2100)).nvml(31);
        assertThat(node.count(31)).isEqualTo(2);
        assertThat(node.incident("xid_31").count()).as("one burst").isEqualTo(2);
    }

    @Test
    void eachSignOfOneSourceIsMatchedOnce() {
        node.xid("31, pid=7, name=a, MMU Fault").xid("31, pid=7, name=a, MMU Fault");
        node.nvml(31).nvml(31).nvml(31);
        assertThat(node.count(31)).isEqualTo(3);
    }

    @Test
    void whatOnlyOneSourceTellsCountsAsMuch() {
        node.nvml(48);
        assertThat(node.said()).isEqualTo("critical drain_and_reset xid_48");
        assertThat(node.incident("xid_48").sources()).containsExactly(HealthSource.NVML_EVENT);
    }

    /** Within an instance NVML numbers engines anew: copy engine 0 there is copy engine 5 in the kernel's log. */
    @Test
    void anEngineThatNvmlNumbersOtherwiseIsTheSame() {
        node.kernel("NVRM: Xid (PCI:0000:9b:00 GPU-I:01): 75, pid=7, name=a, Copy Engine")
                .nvml(39, 1, -1);
        assertThat(node.count(75) + node.count(39)).isEqualTo(1);
    }

    @Test
    void whatNvmlDoesNotKnowIsNamedByTheKernel() {
        node.nvml(999);
        assertThat(node.said()).isEqualTo("warn none xid_999");
        node.pass(Duration.ofMillis(300)).xid("62, PMU Halt");
        assertThat(node.said()).isEqualTo("critical drain_and_reset xid_62");
        assertThat(node.incident("xid_999").clearedBy()).contains("the kernel's log names it: Xid 62");

        Scene reverse = Scene.well();
        reverse.xid("62, PMU Halt").nvml(999);
        assertThat(reverse.said()).isEqualTo("critical drain_and_reset xid_62");
        assertThat(reverse.count(999)).isZero();
    }

    @Test
    void aCodeNobodyKnowsIsKept() {
        node.xid("250, something new")
                .xid("99999, something newer")
                .xid("0, nothing")
                .nvml(0);
        assertThat(node.said()).isEqualTo("warn none xid_250 xid_99999");
        assertThat(node.incident("xid_250").text()).isEqualTo("something new");
        assertThat(node.verdict().xids()).extracting(count -> count.xid()).containsExactly(250, 99999);
    }

    /** Job churn brought 11,760 of these in three hours, and another tool 672 false alarms. */
    @Test
    void tornDownChannelsNeverCountAlone() {
        for (int i = 0; i < 11_760; i++) {
            node.pass(Duration.ofMillis(918)).poll(node.good());
            node.xid("45, pid=" + (1000 + i) + ", name=python3, Ch 00000001");
        }
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.count(45)).isEqualTo(11_760);
        assertThat(node.view().incidents()).hasSize(1);
    }

    @Test
    void whatFollowsBelongsToItsRootAndHidesNothing() {
        node.xid("62, PMU Halt");
        node.xid("45, pid=7, name=a, Ch 00000001 caused by previous Xid 62");
        node.xid("45, pid=8, name=b, Ch 00000002");
        node.xid("154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)");
        Incident root = node.incident("xid_62");
        assertThat(root.related()).containsExactly("xid_154 x1", "xid_45 x2");
        assertThat(root.processes()).extracting(AffectedProcess::pid).containsExactly(7L, 8L);
        assertThat(node.said()).isEqualTo("critical drain_and_reset xid_62 recovery_action");
        assertThat(node.view().incidents()).extracting(Incident::code).doesNotContain("xid_45");
    }

    @Test
    void detailsOfAMemoryErrorBelongToIt() {
        node.xid("48, An uncorrectable double bit error")
                .xid("171, DRAM detail")
                .xid("172, SRAM detail");
        assertThat(node.incident("xid_48").related()).containsExactly("xid_171 x1", "xid_172 x1");
    }

    @Test
    void aBurstIsOneIncidentAndThreeQuietMinutesEndIt() {
        for (int i = 0; i < 60; i++) {
            node.pass(Duration.ofSeconds(1)).poll(node.good()).xid("31, pid=7, name=a, MMU Fault");
        }
        assertThat(node.incident("xid_31").count()).isEqualTo(60);
        assertThat(node.view().incidents()).hasSize(1);
        node.passWith(node.good(), Duration.ofMinutes(4)).xid("31, pid=7, name=a, MMU Fault");
        assertThat(node.view().incidents()).hasSize(2);
        assertThat(node.verdict().reasons()).hasSize(1);
        assertThat(node.count(31)).isEqualTo(61);
    }

    /** A mistake of others: one child for each parent in a map, and events of the other instances were lost. */
    @Test
    void anErrorOfAnInstanceIsThatInstancesOnly() {
        node.nvml(31, 1, 0);
        assertThat(node.verdict().stateOf(1, 0)).isEqualTo(HealthState.WARN);
        assertThat(node.verdict().stateOf(1, 1)).isEqualTo(HealthState.OK);
        assertThat(node.verdict().stateOf(2, 0)).isEqualTo(HealthState.OK);

        Scene wholeInstance = Scene.well().nvml(31, 2, -1);
        assertThat(wholeInstance.verdict().stateOf(2, 5)).isEqualTo(HealthState.WARN);
        assertThat(wholeInstance.verdict().stateOf(1, 0)).isEqualTo(HealthState.OK);

        Scene wholeGpu = Scene.well().nvml(31, -1, -1);
        assertThat(wholeGpu.verdict().stateOf(1, 0)).isEqualTo(HealthState.WARN);
    }

    @Test
    void whatNeedsAResetReachesTheInstancesBeside() {
        node.kernel("NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 94, pid=7, name=a, Contained: x. RST: No, D-RST: No");
        assertThat(node.verdict().stateOf(1, 0)).isEqualTo(HealthState.OK);
        node.kernel("NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 95, pid=7, name=a, Uncontained: x. RST: Yes, D-RST: No");
        assertThat(node.verdict().stateOf(1, 0)).isEqualTo(HealthState.CRITICAL);
        assertThat(node.verdict().stateOf(5, 0)).isEqualTo(HealthState.CRITICAL);
    }

    @Test
    void anInstanceMadeAnewHasNothingOfTheOneBefore() {
        node.poll(node.withMig(Optional.of(false), Map.of(5, "MIG-old")));
        node.kernel("NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 31, pid=7, name=a, MMU Fault");
        node.kernel("NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 64, Row remap failed");
        node.pass(Duration.ofSeconds(15)).poll(node.withMig(Optional.of(false), Map.of(5, "MIG-new")));
        assertThat(node.incident("xid_31").clearedBy()).contains("its MIG instance is gone");
        assertThat(node.incident("xid_64").isOpen()).isTrue();
        assertThat(node.incident("xid_64").scope().gpuInstance())
                .as("the board has it")
                .isEmpty();
    }

    @Test
    void aFaultOfAnMpsServerIsTheDaemons() {
        node.mpsServer(4711, "gpu-5c3d1a2b").xid("31, pid=4711, name=nvidia-cuda-mps-server, MMU Fault");
        assertThat(node.incident("xid_31").mps()).contains("gpu-5c3d1a2b");
        assertThat(node.verdict().reasons().getFirst().sentence()).contains("MPS daemon gpu-5c3d1a2b");
        assertThat(node.verdict().isSchedulable()).isTrue();
    }

    @Test
    void exceptionsAtOnePlaceUnderManyProgramsAreTheChips() {
        node.xid("13, pid=1, name=a, Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): Out Of Range Address");
        node.xid("13, pid=2, name=b, Graphics SM Warp Exception on (GPC 3, TPC 1, SM 1): Out Of Range Address");
        node.xid("13, pid=9, name=z, Graphics SM Warp Exception on (GPC 0, TPC 0, SM 1): Out Of Range Address");
        assertThat(node.verdict().state()).isEqualTo(HealthState.WARN);
        node.xid("13, pid=3, name=c, Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): Out Of Range Address");
        assertThat(node.said()).isEqualTo("degraded rma_check xid_13");
    }

    @Test
    void theDriverMayLeaveLinesOutAndThenTheCountIsALowerBound() {
        node.xid("119, pid=7, name=a, Timeout after 6s of waiting for RPC response from GPU4 GSP!");
        node.kernel(
                "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).  The GPU likely needs to be reset.");
        assertThat(node.incident("xid_119").isAtLeast()).isTrue();
        assertThat(node.verdict().xids()).allMatch(count -> count.isAtLeast());
    }

    @Test
    void aLineThatAProgramWroteChangesNothing() {
        node.see(new Observation.KernelMessage(
                node.now(), Scene.BOOT, 500, false, HealthSource.KMSG, Scene.XID + "79, GPU has fallen off the bus."));
        assertThat(node.said()).isEqualTo("ok none");
        assertThat(node.view().incidents()).isEmpty();
        assertThat(node.view().sources())
                .anySatisfy(source -> assertThat(source.refused()).isEqualTo(1));
    }

    @Test
    void aRecordIsTakenOnceHoweverOftenItIsRead() {
        Observation record = new Observation.KernelMessage(
                node.now(), Scene.BOOT, 500, true, HealthSource.KMSG, Scene.XID + "31, pid=7, name=a, MMU Fault");
        node.see(record).see(record);
        assertThat(node.count(31)).isEqualTo(1);
        node.see(new Observation.KernelMessage(
                node.now(), "another boot", 501, true, HealthSource.KMSG, Scene.XID + "31, MMU Fault"));
        assertThat(node.count(31)).isEqualTo(1);
    }

    @Test
    void aGpuThatFellOffTheBusIsUnconfirmedUntilItWasProbed() {
        node.xid("79, pid=1101234, name=nvc:[driver], GPU has fallen off the bus.");
        assertThat(node.said()).isEqualTo("critical reboot xid_79");
        node.pass(Duration.ofSeconds(5)).poll(Scene.LOST);
        assertThat(node.said()).isEqualTo("lost reboot gpu_lost xid_79");

        Scene answers = Scene.well();
        answers.xid("79, GPU has fallen off the bus.")
                .pass(Duration.ofSeconds(6))
                .poll(answers.good());
        assertThat(answers.said()).isEqualTo("degraded none xid_79");
        answers.passWith(answers.good(), TEN_MINUTES);
        assertThat(answers.said()).isEqualTo("ok none");
    }

    @Test
    void theThreeLinesOfALostGpuAreOneIncident() {
        node.kernel("NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.");
        node.xid("79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.");
        node.kernel("NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.");
        assertThat(node.verdict().reasons()).hasSize(1);
        assertThat(node.said()).isEqualTo("critical reboot xid_79");
    }

    /** Another tool drops it: a lost GPU cannot be asked for its UUID. */
    @Test
    void anXidOfAGpuThatNvmlNeverHadIsKeptUnderItsBusIdUntilItsNameIsKnown() {
        node.kernel("NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.");
        assertThat(Scene.said(node.verdict("00000000:3B:00.0"))).startsWith("critical reboot xid_79");
        node.kernel("NVRM: GPU at PCI:0000:3b:00: " + Scene.OTHER);
        assertThat(Scene.said(node.verdict(Scene.OTHER))).startsWith("critical reboot xid_79");
        assertThat(node.view().gpus()).hasSize(2);
    }

    @Test
    void aFailedRowRemapIsForTheBoardAndNotForAReset() {
        node.xid("64, pid=7, name=a, Row Remapper: failed").poll(node.reading(1, false, true));
        assertThat(node.said()).startsWith("critical rma_check");
    }

    @Test
    void theSameErrorAfterTwoResetsIsForTheBoard() {
        for (int reset = 0; reset < 2; reset++) {
            node.xid("95, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No");
            assertThat(node.verdict().action()).isEqualTo(HealthAction.DRAIN_AND_RESET);
            node.pass(Duration.ofSeconds(1)).poll(node.reading(1, false, false));
            node.pass(Duration.ofMinutes(5)).poll(node.good());
            assertThat(node.said()).as("after reset %d", reset).isEqualTo("ok none");
            node.pass(Duration.ofHours(1));
        }
        node.poll(node.good()).xid("95, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No");
        assertThat(node.said()).isEqualTo("critical rma_check xid_95");
    }

    @Test
    void nvlinkErrorsAreAsBadAsTheirLineSays() {
        node.xid("145, RLW_REMAP Nonfatal XC1 i0 Link 12 (0x00000004 0x00000001 0x00000000)");
        assertThat(node.said()).isEqualTo("warn none xid_145");
        Scene truncated = Scene.well()
                .xid("145, RLW_SRC_TRACK Nonfatal XC1 i0 Link 17 (0x04084507 0x00000004 0x00000000 0x00000000");
        assertThat(truncated.verdict().state()).isEqualTo(HealthState.WARN);
        Scene fatal = Scene.well().xid("149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 (0x021425c6 0x00000000)");
        assertThat(fatal.said()).isEqualTo("critical drain_and_reset xid_149");
        Scene injected = Scene.well().xid("145, RLW_SRC_TRACK Fatal XC0 i1 Link 00 (0x00000007 0x00000001)");
        assertThat(injected.verdict().state()).as("injected on purpose").isEqualTo(HealthState.WARN);
    }

    @Test
    void anErrorOfASwitchIsCountedOnceAndIsTheNodes() {
        node.kernel("nvidia-nvswitch0: SXid (PCI:0000:a9:00.0): 20034, Fatal, Link 30 LTSSM Fault Up");
        node.kernel(
                "nvidia-nvswitch0: SXid (PCI:0000:a9:00.0): 20034, Severity 1 Engine instance 30 Sub-engine instance 00");
        node.kernel("nvidia-nvswitch0: SXid (PCI:0000:a9:00.0): 20034, Data {0x50610002, 0x10100030}");
        assertThat(node.saidOfNode()).isEqualTo("critical drain_and_reset sxid_20034");
        assertThat(node.incident("sxid_20034").count()).isEqualTo(1);
        assertThat(node.said()).as("no GPU owns it").isEqualTo("ok none");
        Scene word = Scene.well()
                .kernel(
                        "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error");
        assertThat(word.saidOfNode()).as("the word is believed, not the table").isEqualTo("warn none sxid_12028");
    }

    @Test
    void incidentsAreBounded() {
        for (int code = 200; code < 1_000; code++) {
            node.xid(code + ", new");
        }
        assertThat(node.facts().gpus().get(Scene.GPU).problems().all()).hasSize(Problems.MAX);
        assertThat(node.verdict().xids()).hasSizeLessThanOrEqualTo(256);
        List<String> states = node.verdict().reasons().stream()
                .map(reason -> reason.state().label())
                .distinct()
                .toList();
        assertThat(states).containsExactly("warn");
    }
}
