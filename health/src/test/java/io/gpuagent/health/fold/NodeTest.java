// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.SourceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What no GPU owns, and what becomes of facts over restarts. */
class NodeTest {
    private final Scene node = Scene.well();

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "DENIED", "ABSENT", "FAILED"})
    void silenceIsNoGoodNewsWhereNobodyListens(SourceStatus.State state) {
        node.source(Sources.KERNEL_LOG, state, "/dev/kmsg may not be read");
        assertThat(node.said()).as("NVML's events still come").isEqualTo("warn none no_xid_source");
        node.source(Sources.NVML_EVENTS, SourceStatus.State.DISABLED, "not supported");
        assertThat(node.said()).isEqualTo("unknown none no_xid_source");
        assertThat(node.saidOfNode()).isEqualTo("unknown none no_xid_source");
        node.source(Sources.KERNEL_LOG, SourceStatus.State.OK, "");
        assertThat(node.said()).isEqualTo("ok none");
    }

    @Test
    void beforeTheLogWasReadNothingIsKnown() {
        Scene fresh = Scene.empty();
        fresh.see(new Observation.Started(fresh.now(), Scene.BOOT));
        fresh.poll(fresh.good());
        assertThat(fresh.said()).isEqualTo("unknown none no_xid_source");
    }

    @Test
    void lostRecordsAreToldAndMakeCountsLowerBounds() {
        node.xid("31, pid=7, name=a, MMU Fault");
        node.see(new Observation.KernelLogLost(node.now(), 4_900));
        assertThat(node.saidOfNode()).isEqualTo("warn restart_app kernel_log_lost");
        assertThat(node.view().sources())
                .anySatisfy(source -> assertThat(source.lost()).isEqualTo(4_900));
        assertThat(node.incident("xid_31").isAtLeast()).isTrue();
        node.xid("79, GPU has fallen off the bus.");
        assertThat(node.verdict().state()).as("reading goes on").isEqualTo(HealthState.CRITICAL);
    }

    /** The agent's own trouble is not the GPUs'. */
    @Test
    void withoutADriverTheNodeIsUnknownAndNoGpuIsIll() {
        Scene none = Scene.empty();
        none.see(new Observation.Started(none.now(), Scene.BOOT));
        none.source(Sources.KERNEL_LOG, SourceStatus.State.OK, "");
        none.node(new DriverState.Down(DriverState.Reason.NO_LIBRARY, "there is no NVML library", null));
        assertThat(none.saidOfNode()).isEqualTo("unknown none driver_down");
        assertThat(none.view().gpus()).isEmpty();
        none.node(Scene.UP);
        assertThat(none.saidOfNode()).isEqualTo("ok none");
    }

    @Test
    void aLibraryThatWasReplacedUnderARunningModuleIsSeenBeforeProgramsFail() {
        node.versions("580.95.05", "580.159.04");
        assertThat(node.saidOfNode()).isEqualTo("warn reboot library_mismatch_pending");
        assertThat(node.said()).as("what runs goes on").isEqualTo("ok none");
        node.node(new DriverState.Down(DriverState.Reason.VERSION_MISMATCH, "library and module differ", null));
        assertThat(node.view().state()).isEqualTo(HealthState.UNKNOWN);
        node.versions("580.159.04", "580.159.04");
        assertThat(node.saidOfNode()).isEqualTo("ok none");
    }

    @Test
    void aGpuThatIsGoneAndOneThatIsNotDrivenAreTwoThings() {
        node.poll(node.other(GpuCondition.OK));
        node.bus(Set.of(Scene.PCI, Scene.OTHER_PCI), Set.of(Scene.GPU, Scene.OTHER));
        assertThat(node.saidOfNode()).isEqualTo("ok none");
        node.bus(Set.of(Scene.PCI), Set.of(Scene.GPU));
        assertThat(Scene.said(node.verdict(Scene.OTHER))).isEqualTo("lost inspect_hw gpu_missing");
        node.bus(Set.of(Scene.PCI, Scene.OTHER_PCI), Set.of(Scene.GPU));
        assertThat(Scene.said(node.verdict(Scene.OTHER))).startsWith("critical");
        node.poll(node.other(GpuCondition.OK));
        node.bus(Set.of(Scene.PCI, Scene.OTHER_PCI), Set.of(Scene.GPU, Scene.OTHER));
        assertThat(Scene.said(node.verdict(Scene.OTHER))).isEqualTo("ok none");
    }

    @Test
    void aGpuThatWasTakenOutIsNoLongerLookedFor() {
        node.poll(node.other(GpuCondition.OK));
        node.bus(Set.of(Scene.PCI), Set.of(Scene.GPU));
        node.ack(node.incident("gpu_missing").id(), "ops", "sent back");
        assertThat(node.saidOfNode()).isEqualTo("ok none");
        node.bus(Set.of(Scene.PCI), Set.of(Scene.GPU));
        assertThat(node.view().gpus()).hasSize(1);
        assertThat(node.incident("gpu_missing").acknowledged())
                .get()
                .satisfies(by -> assertThat(by.why()).isEqualTo("sent back"));
    }

    @Test
    void aGpuThatNvmlNeverHadIsFoundOnTheBus() {
        PciAddress third = new PciAddress(0, 0xb3, 0);
        node.kernel(
                "NVRM: The NVIDIA GPU 0000:b3:00.0\nNVRM: (PCI ID: 10de:26b5) installed in this system has\nNVRM: fallen off the bus and is not responding to commands.");
        node.bus(Set.of(Scene.PCI, third), Set.of(Scene.GPU));
        assertThat(Scene.said(node.verdict(third.busId())))
                .startsWith("critical reboot")
                .contains("gpu_not_driven", "gpu_off_bus");
    }

    /** The log names a bus id before anything was read: that GPU may be one of those that NVML counts. */
    @Test
    void aGpuThatWasNotReadYetIsNotTakenForUndriven() {
        node.kernel("NVRM: Xid (PCI:0000:3b:00): 31, pid=7, name=a, MMU Fault");
        node.bus(Set.of(Scene.PCI, Scene.OTHER_PCI), Set.of(Scene.GPU, Scene.OTHER));
        assertThat(Scene.said(node.verdict(Scene.OTHER_PCI.busId())))
                .isEqualTo("unknown restart_app not_read_yet xid_31");
    }

    @Test
    void aUnitThatIsBeingRestartedIsNoUnitThatIsDown() {
        Map<String, UnitActivity> down = Map.of(
                "nvidia-fabricmanager.service",
                UnitActivity.INACTIVE,
                "nvidia-persistenced.service",
                UnitActivity.UNKNOWN);
        node.units(down);
        assertThat(node.saidOfNode()).isEqualTo("ok none");
        node.units(down);
        assertThat(node.saidOfNode()).isEqualTo("degraded none unit_down");
        node.units(Map.of("nvidia-fabricmanager.service", UnitActivity.ACTIVE));
        assertThat(node.saidOfNode()).isEqualTo("ok none");
    }

    @Test
    void aProgramWithAnotherLibraryIsAProblemOfTheNode() {
        node.kernel(
                "NVRM: API mismatch: the client 'nvidia-smi' (pid 4711)\nNVRM: has the version 580.95.05, but this kernel module has\nNVRM: the version 580.159.04.  Please");
        assertThat(node.saidOfNode()).isEqualTo("degraded reboot version_mismatch");
        node.passWith(node.good(), Duration.ofMinutes(11));
        assertThat(node.saidOfNode()).isEqualTo("ok none");
    }

    @Test
    void aStoreThatCannotBeWrittenIsTold() {
        node.source(Sources.STORE, SourceStatus.State.FAILED, "no space left");
        assertThat(node.saidOfNode()).isEqualTo("warn none store_degraded");
        node.source(Sources.STORE, SourceStatus.State.OK, "");
        assertThat(node.saidOfNode()).isEqualTo("ok none");
    }

    @Test
    void aRestartOfTheMachineIsEvidenceOnceTheGpuWasRead() {
        node.xid("48, An uncorrectable double bit error")
                .xid("110, security fault")
                .xid("64, remap failed");
        node.pass(Duration.ofMinutes(3)).reboot();
        assertThat(node.said()).as("not read yet").startsWith("critical rma_check");
        node.poll(node.good());
        assertThat(node.said()).as("what a restart cannot heal").isEqualTo("critical rma_check xid_64");
        assertThat(node.count(48)).as("counts are of this boot").isZero();
    }

    @Test
    void aRestartOfTheAgentIsNoEvidence() {
        node.poll(node.reading(OptionalInt.empty(), Optional.empty()));
        node.xid("110, security fault");
        node.see(new Observation.Started(node.now(), Scene.BOOT)).poll(node.good());
        assertThat(node.said()).isEqualTo("critical reboot xid_110");
    }

    @Test
    void theTailOfTheBootBeforeIsAddedOnce() {
        Moment seen = node.now();
        node.xid("31, pid=7, name=a, MMU Fault");
        node.pass(Duration.ofMinutes(2));
        Moment unseen = node.now();
        node.pass(Duration.ofMinutes(5)).reboot();
        for (Moment at : new Moment[] {seen, unseen}) {
            String text = at.equals(seen) ? "31, pid=7, name=a, MMU Fault" : "79, GPU has fallen off the bus.";
            node.see(new Observation.KernelMessage(at, Scene.BOOT, -1, true, HealthSource.JOURNAL, Scene.XID + text));
        }
        assertThat(node.view().incidents())
                .extracting(Incident::code)
                .filteredOn(code -> code.startsWith("xid"))
                .containsExactly("xid_79", "xid_31");
        assertThat(node.incident("xid_31").count()).isEqualTo(1);
        assertThat(node.incident("xid_79").sources()).containsExactly(HealthSource.JOURNAL);
        assertThat(node.verdict().xids()).as("of this boot").isEmpty();
        node.poll(node.good());
        assertThat(node.incident("xid_79").clearedBy()).isPresent();
    }

    /** A machine may start in 1970 and be set right in the middle of a burst. */
    @Test
    void settingTheClockMakesNoIncidentTwoAndNoAgeNegative() {
        node.setWall(Duration.between(Instant.parse("2026-12-01T10:00:00Z"), Instant.EPOCH));
        node.xid("31, pid=7, name=a, MMU Fault");
        node.pass(Duration.ofSeconds(1));
        node.setWall(Duration.between(Instant.EPOCH, Instant.parse("2026-12-01T10:00:00Z")));
        node.xid("31, pid=7, name=a, MMU Fault");
        node.pass(Duration.ofSeconds(1)).setWall(Duration.ofHours(-1));
        assertThat(node.view().incidents()).hasSize(1);
        Incident incident = node.incident("xid_31");
        assertThat(incident.count()).isEqualTo(2);
        assertThat(Duration.between(incident.first(), node.now().wall())).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aReloadedDriverOfAnotherVersionIsAReset() {
        node.xid("48, An uncorrectable double bit error");
        node.pass(Duration.ofMinutes(1)).node(new DriverState.Up("595.45.04", "13.595", "13.1", "library"));
        node.poll(node.good());
        assertThat(node.incident("xid_48").isOpen()).isFalse();
    }
}
