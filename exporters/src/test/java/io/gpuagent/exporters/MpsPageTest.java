// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import org.junit.jupiter.api.Test;

class MpsPageTest {
    private static final PageText SHARED = PageText.of(SampleSnapshots.h200(1), SampleMps.shared());
    private static final PageText TROUBLED = PageText.of(SampleSnapshots.h200(2), SampleMps.troubled());

    @Test
    void withoutSupervisionThereIsNoSeriesAndWithNoDaemonOnlyTheCountOfForeignOnes() {
        assertThat(PageText.of(SampleSnapshots.h200(1)).names()).noneMatch(name -> name.startsWith("gpu_mps"));
        assertThat(PageText.of(SampleSnapshots.h200(1), SampleMps.none()).names())
                .filteredOn(name -> name.startsWith("gpu_mps"))
                .containsExactly("gpu_mps_foreign_daemons");
    }

    @Test
    void aLimitThatIsNotSetHasNoSeries() {
        assertThat(SHARED.value("gpu_mps_memory_limit_bytes", "level=\"default\""))
                .isEqualTo(8L << 30);
        assertThat(TROUBLED.series("gpu_mps_memory_limit_bytes", "mig-0f6e2d41"))
                .isEmpty();
        assertThat(TROUBLED.series("gpu_mps_active_thread_ratio", "mig-0f6e2d41"))
                .isEmpty();
    }

    @Test
    void theLimitOfAServerStandsBesideTheDefaultOne() {
        assertThat(SHARED.value("gpu_mps_active_thread_ratio", "level=\"server\"", "server=\"573\""))
                .isEqualTo(0.25);
        assertThat(SHARED.value("gpu_mps_active_thread_ratio", "level=\"default\"", "server=\"\""))
                .isEqualTo(0.25);
    }

    @Test
    void aClientOnOldLimitsIsCountedAndKeepsItsMultiprocessors() {
        assertThat(SHARED.value("gpu_mps_clients_on_old_limits")).isEqualTo(1);
        assertThat(SHARED.value("gpu_mps_client_multiprocessors", "pid=\"539\""))
                .isEqualTo(78);
        assertThat(SHARED.value("gpu_mps_client_multiprocessors", "pid=\"540\""))
                .isEqualTo(32);
    }

    @Test
    void aClientOfUnknownLimitsIsNotCountedAsOneOnNewLimits() {
        assertThat(TROUBLED.value("gpu_mps_clients_on_unknown_limits", "gpu-00000000"))
                .isEqualTo(1);
        assertThat(TROUBLED.series("gpu_mps_client_multiprocessors", "pid=\"540\""))
                .isEmpty();
    }

    @Test
    void aDaemonThatDiedIsDownAndInItsOneState() {
        assertThat(TROUBLED.value("gpu_mps_control_up", "pair")).isZero();
        assertThat(TROUBLED.value("gpu_mps_state", "pair", "crashloop")).isEqualTo(1);
        assertThat(TROUBLED.value("gpu_mps_state", "pair", "active")).isZero();
        assertThat(TROUBLED.value("gpu_mps_control_up", "mig-0f6e2d41")).isEqualTo(1);
    }

    @Test
    void aWaitingUserHasAnAge() {
        assertThat(TROUBLED.value("gpu_mps_pending_seconds")).isEqualTo(45);
        assertThat(SHARED.value("gpu_mps_pending_clients")).isZero();
    }

    @Test
    void noProcessPastADaemonIsZeroOnlyWhereAllAreListed() {
        assertThat(SHARED.value("gpu_mps_unmanaged_compute_processes", "gpu=\"0\""))
                .isZero();
        assertThat(PageText.of(SampleSnapshots.driverDown(), SampleMps.shared())
                        .series("gpu_mps_unmanaged_compute_processes"))
                .isEmpty();
        assertThat(TROUBLED.value("gpu_mps_unmanaged_compute_processes", "gpu=\"0\""))
                .isEqualTo(1);
    }

    @Test
    void aDeviceIsTiedToItsDaemonAndAMigDeviceHasNoIndex() {
        assertThat(TROUBLED.series("gpu_mps_device_info", "mps=\"pair\"")).hasSize(2);
        assertThat(TROUBLED.series("gpu_mps_device_info", "mig-0f6e2d41", "gpu=\"\""))
                .hasSize(1);
    }
}
