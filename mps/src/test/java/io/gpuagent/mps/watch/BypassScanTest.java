// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mps.watch.BypassScan.Suspect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pids as captured on an H200, driver 580.159.04: server 573, clients 539 and 540. */
class BypassScanTest {
    // dcgm-exporter #388, #474, #478: the server counts as a process that computes, beside its clients.
    @Test
    void theServerAndItsClientsAreNoBypass() {
        assertThat(BypassScan.suspects(
                        Views.device(Views.processes(539, 540), Views.processes(539, 540, 573)), Set.of(573L)))
                .contains(List.of());
    }

    @Test
    void whoComputesAndIsNeitherOneIsABypass() {
        assertThat(BypassScan.suspects(
                        Views.device(Views.processes(540), Views.processes(539, 540, 573)), Set.of(573L)))
                .contains(List.of(new Suspect(539, OptionalLong.of(539L << 20))));
    }

    @Test
    void theServerOfAnotherDaemonOnTheSameGpuIsOne() {
        assertThat(BypassScan.suspects(Views.device(Views.processes(), Views.processes(700, 573)), Set.of(573L)))
                .hasValueSatisfying(
                        found -> assertThat(found).extracting(Suspect::pid).containsExactly(700L));
    }

    @Test
    void withoutOneOfTheListsNothingIsClaimed() {
        assertThat(BypassScan.suspects(Views.device(Optional.empty(), Views.processes(539)), Set.of()))
                .isEmpty();
        assertThat(BypassScan.suspects(Views.device(Views.processes(539), Optional.empty()), Set.of()))
                .isEmpty();
    }

    @Test
    void aProcessOfAnotherPidNamespaceCannotBeNamed() {
        assertThat(BypassScan.suspects(Views.device(Views.processes(), Views.processes(0)), Set.of()))
                .contains(List.of());
    }
}
