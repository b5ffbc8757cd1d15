// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.Absence;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.mig.MigDeviceUse;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages of GPUs that are cut up: nothing is counted twice, and what is not known has no series. */
class MigPageTest {
    private static final long MIB = 1L << 20;
    private static final String HALF = "gpu_instance_id=\"2\"";
    private static final String QUARTER = "gpu_instance_id=\"4\"";
    private static final String SMALL = "gpu_instance_id=\"7\"";

    @Test
    void memoryThatComputeInstancesShareIsCountedOnce() {
        PageText page = PageText.of(SampleSnapshots.migOn());

        assertThat(page.value("gpu_mig_memory_bytes", HALF, "state=\"used\"")).isEqualTo(40960 * MIB);
        assertThat(page.value("gpu_mig_memory_bytes", QUARTER, "state=\"used\""))
                .isEqualTo(12288 * MIB);
        assertThat(page.value("gpu_mig_memory_bytes", QUARTER, "state=\"free\""))
                .isEqualTo(20992 * MIB);
        assertThat(page.series("gpu_mig_memory_bytes", SMALL))
                .as("nothing tells the memory of an instance without a compute instance")
                .isEmpty();
        assertThat(page.value("gpu_mig_memory_size_bytes", SMALL)).isEqualTo(16384 * MIB);
    }

    @Test
    void aDeviceThatIsRefusedDoesNotHideTheMemoryThatItsSiblingTells() {
        Reading<MemoryUse> refused = Reading.absent(Absence.NO_PERMISSION, null, 0);
        Reading<MemoryUse> told = Reading.of(new MemoryUse(100, 60, 40, OptionalLong.empty()), 0);
        PageText page = PageText.of(SampleSnapshots.with(
                SampleSnapshots.migOn(),
                0,
                ReadingKeys.MIG_MEMORY,
                Reading.of(List.of(new MigDeviceUse(4, 0, refused), new MigDeviceUse(4, 1, told)), 0)));

        assertThat(page.series("gpu_mig_memory_bytes")).hasSize(2);
        assertThat(page.value("gpu_mig_memory_bytes", QUARTER, "state=\"used\""))
                .isEqualTo(40);
    }

    @Test
    void anInstanceWithoutAComputeInstanceIsThereAndIsCounted() {
        PageText page = PageText.of(SampleSnapshots.migOn());

        assertThat(page.value(
                        "gpu_mig_instance_info",
                        SMALL,
                        "compute_instance_id=\"\"",
                        "mig_uuid=\"\"",
                        "profile=\"1g.18gb\"",
                        "placement_start=\"0\"",
                        "placement_size=\"1\""))
                .isEqualTo(1);
        assertThat(page.series("gpu_mig_instance_info")).hasSize(4);
        assertThat(page.value("gpu_mig_incomplete_instances")).isEqualTo(1);
        assertThat(PageText.of(SampleSnapshots.migEmpty()).value("gpu_mig_incomplete_instances"))
                .isZero();
    }

    @Test
    void anIdleInstanceHasNoProcessAndOneThatCannotBeLookedIntoHasNoSeries() {
        PageText page = PageText.of(SampleSnapshots.migOn());
        String compute = "type=\"compute\"";

        assertThat(page.value("gpu_mig_processes", HALF, compute)).isEqualTo(2);
        assertThat(page.value("gpu_mig_processes", QUARTER, "compute_instance_id=\"0\"", compute))
                .isZero();
        assertThat(page.value("gpu_mig_processes", QUARTER, "compute_instance_id=\"1\"", compute))
                .isEqualTo(1);

        PageText blind = PageText.of(SampleSnapshots.with(
                SampleSnapshots.migOn(),
                0,
                ReadingKeys.processes(ProcessType.COMPUTE),
                Reading.absent(Absence.NO_PERMISSION, null, 0)));
        assertThat(blind.series("gpu_mig_processes", compute)).isEmpty();
        assertThat(blind.series("gpu_mig_processes", "type=\"graphics\"")).hasSize(3);
    }

    @Test
    void whatStillFitsIsToldForEachProfile() {
        PageText page = PageText.of(SampleSnapshots.migOn());

        assertThat(page.series("gpu_mig_free_instances")).hasSize(7);
        assertThat(page.value("gpu_mig_free_instances", "profile=\"1g.18gb\"")).isEqualTo(1);
        assertThat(page.value("gpu_mig_free_instances", "profile=\"2g.35gb\"")).isZero();
    }

    @Test
    void whereInstancesCannotBeListedOnlyTheModeIsTold() {
        assertThat(migFamilies(SampleSnapshots.migForbidden())).containsExactly("gpu_mig_enabled");
    }

    @Test
    void whileMigIsOffThereAreNoInstancesAndNoRoom() {
        assertThat(migFamilies(SampleSnapshots.h200(1))).containsExactly("gpu_mig_enabled");
    }

    private static Stream<String> migFamilies(NodeSnapshot node) {
        return PageText.of(node).names().stream().filter(name -> name.startsWith("gpu_mig_"));
    }
}
