// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.NodeStatus;
import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.Mode;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Readings;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.UtilizationRates;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigPlace;
import io.gpuagent.model.mig.MigView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusTableTest {
    @Test
    void aNodeOfEight() throws Exception {
        golden("h200x8.txt", SampleSnapshots.h200(8));
    }

    @Test
    void oneGpu() throws Exception {
        golden("h200.txt", SampleSnapshots.h200(1));
    }

    @Test
    void sixtyFourGpus() throws Exception {
        golden("h200x64.txt", SampleSnapshots.h200(64));
    }

    @Test
    void noGpu() throws Exception {
        golden("none.txt", SampleSnapshots.h200(0));
    }

    @Test
    void aGpuThatDoesNotAnswerSaysSo() throws Exception {
        golden("unresponsive.txt", SampleSnapshots.unresponsive());
    }

    @Test
    void aLostGpuHasNoValues() throws Exception {
        NodeSnapshot node = SampleSnapshots.h200(2);
        GpuSnapshot lost = new GpuSnapshot(
                node.gpus().get(0).identity(),
                new GpuCondition(
                        GpuCondition.State.RESET_REQUIRED,
                        "The driver answers NVML_ERROR_RESET_REQUIRED to every call; drain the GPU and reset it with"
                                + " nvidia-smi --gpu-reset."),
                Readings.EMPTY);
        golden(
                "reset-required.txt",
                with(node, node.driver(), List.of(lost, node.gpus().get(1))));
    }

    @Test
    void absentValuesAreDashes() throws Exception {
        golden("workstation.txt", SampleSnapshots.workstation());
    }

    @Test
    void aGpuThatIsCutUpShowsItsInstances() throws Exception {
        golden("mig.txt", SampleSnapshots.migOn());
    }

    @Test
    void aGpuInMigModeWithoutInstancesSaysWhatFits() throws Exception {
        golden("mig-empty.txt", SampleSnapshots.migEmpty());
    }

    @Test
    void instancesThatMayNotBeListedAreNoEmptyList() throws Exception {
        golden("mig-forbidden.txt", SampleSnapshots.migForbidden());
    }

    @Test
    void theLongestInstancesFitStill() throws Exception {
        MigComputeView compute = new MigComputeView(
                7,
                "1c.1g.24gb+me.all",
                0,
                1,
                OptionalInt.of(188),
                Optional.empty(),
                Optional.of(new MigDeviceView("MIG-GPU-00000000-0000-0000-0000-000000000001/14/7", 6)));
        MigInstanceView instance =
                new MigInstanceView(14, "1g.24gb+me.all", 65, new MigPlace(10, 2), 1, 188, 1L << 40, List.of(compute));
        NodeSnapshot node = SampleSnapshots.with(
                SampleSnapshots.migEmpty(),
                0,
                ReadingKeys.MIG,
                Reading.of(new MigView(true, true, 12, List.of(instance), List.of()), 0));
        golden("mig-wide.txt", node);
    }

    @Test
    void aDriverThatIsDownIsASentence() throws Exception {
        golden("driver-down.txt", SampleSnapshots.driverDown());
    }

    @Test
    void wideValuesFitStill() throws Exception {
        NodeSnapshot node = SampleSnapshots.h200(1);
        node = SampleSnapshots.with(
                node, 0, ReadingKeys.NAME, Reading.of("NVIDIA RTX PRO 6000 Blackwell Server Edition", 0));
        node = SampleSnapshots.with(node, 0, ReadingKeys.TEMPERATURE_GPU, Reading.of(-5, 0));
        node = SampleSnapshots.with(node, 0, ReadingKeys.POWER_AVERAGE, Reading.of(1400.6, 0));
        node = SampleSnapshots.with(node, 0, ReadingKeys.POWER_LIMIT_ENFORCED, Reading.of(1400.0, 0));
        node = SampleSnapshots.with(
                node, 0, ReadingKeys.MEMORY, Reading.of(new MemoryUse(1L << 50, 0, 1L << 50, OptionalLong.empty()), 0));
        node = SampleSnapshots.with(node, 0, ReadingKeys.UTILIZATION, Reading.of(new UtilizationRates(1, 1), 0));
        node = SampleSnapshots.with(node, 0, ReadingKeys.MIG_MODE, Reading.of(new Mode(false, true), 0));
        node = SampleSnapshots.with(
                node, 0, ReadingKeys.processes(ProcessType.COMPUTE), Reading.of(processes(1, 120), 0));
        // The same process with graphics counts once.
        node = SampleSnapshots.with(
                node, 0, ReadingKeys.processes(ProcessType.GRAPHICS), Reading.of(processes(100, 130), 0));
        golden("wide.txt", node);
    }

    @Test
    void aNegativeSizeIsADash() throws Exception {
        NodeSnapshot node = SampleSnapshots.with(
                SampleSnapshots.h200(1),
                0,
                ReadingKeys.MEMORY,
                Reading.of(new MemoryUse(-1, 0, 1L << 30, OptionalLong.empty()), 0));
        StatusTable table = new StatusTable(false, true);
        assertThat(table.render(status(node), status(node).gpus())).containsPattern(" (-/1\\.0|1\\.0/-)GiB ");
    }

    @Test
    void withoutUtf8ALongNameEndsInATilde() throws Exception {
        NodeSnapshot node = SampleSnapshots.with(
                SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("NVIDIA " + "very ".repeat(20), 0));
        String table =
                new StatusTable(false, false).render(status(node), status(node).gpus());
        assertThat(table).contains("~ ");
        assertThat(table.chars()).allMatch(c -> c < 128);
    }

    @Test
    void aNameCannotControlTheTerminal() throws Exception {
        NodeSnapshot node = SampleSnapshots.with(
                SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("\u001B[2Jx\n\u202Ey", 0));
        assertThat(new StatusTable(false, true)
                        .render(status(node), status(node).gpus()))
                .contains("?[2Jx??y");
    }

    @Test
    void coloursMarkWhatIsWrong() throws Exception {
        NodeStatus node = status(SampleSnapshots.unresponsive());
        String table = new StatusTable(true, true).render(node, node.gpus());
        assertThat(table)
                .contains("\u001B[31m     unresponsive: nvmlDeviceGetPowerUsage has not returned for 120 s.\u001B[0m");
        assertThat(table).contains("\u001B[1mGPU  NAME");
    }

    private static List<GpuProcess> processes(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(pid -> new GpuProcess(pid, OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty()))
                .toList();
    }

    private static NodeSnapshot with(NodeSnapshot node, DriverState driver, List<GpuSnapshot> gpus) {
        return new NodeSnapshot(node.generation(), node.takenAtNanos(), node.takenAt(), driver, gpus, node.agent());
    }

    private static void golden(String name, NodeSnapshot snapshot) throws IOException, JsonShapeException {
        NodeStatus node = status(snapshot);
        String table = new StatusTable(false, true).render(node, node.gpus());
        assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(StatusTable.WIDTH));
        Golden.check("status-" + name, table);
    }

    private static NodeStatus status(NodeSnapshot snapshot) throws JsonShapeException {
        return NodeStatus.of(JsonReader.read(StatusJson.write(snapshot)));
    }
}
