// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.Hang;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is captured is replayed: asked the same, the replay answers the same. */
class CaptureIT {
    private static final Capture.Deadlines SHORT = new Capture.Deadlines(Duration.ofSeconds(2), Duration.ofSeconds(2));

    @TempDir
    Path folder;

    private static SimulatedDriver frozen(String profile) {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse(profile), () -> 0);
        driver.freeze();
        return driver;
    }

    /** A capture whose clock stands still: two of the same answers are the same text. */
    private static CaptureDocument capture(SimulatedDriver driver, boolean keepsIdentifiers)
            throws InterruptedException {
        CaptureDocument document = Capture.take(driver, () -> 0, keepsIdentifiers, Capture.Deadlines.DEFAULT);
        assertThat(driver.calls().failures()).as("the simulator's own faults").isEmpty();
        return document;
    }

    private SimulatedDriver replay(CaptureDocument document) throws IOException {
        Path file = Files.writeString(folder.resolve("capture.json"), document.json("A test."));
        return SimulatedDriver.start(SimProfile.parse(file.toString()), () -> 0);
    }

    @Test
    void replayAnswersEveryQuestionAsTheSourceDid() throws Exception {
        SimulatedDriver source = frozen("h200x2");
        source.gpu(1).setUtilization(73, 12);
        source.gpu(1)
                .setProcesses(List.of(
                        new SimulatedProcess(6_000_001, SimulatedProcess.Kind.COMPUTE, 3L << 30),
                        new SimulatedProcess(6_000_002, SimulatedProcess.Kind.MPS, 1L << 30)));
        source.gpu(1).state().setRemappedRows(1, 2, true, false);
        CaptureDocument captured = capture(source, true);

        CaptureDocument again = capture(replay(captured), true);

        assertThat(captured.gpus()).isEqualTo(2);
        assertThat(captured.questions()).isGreaterThan(1_000);
        assertThat(captured.hung()).isEmpty();
        assertThat(again.json("A test.")).isEqualTo(captured.json("A test."));
    }

    @Test
    void onlyFunctionsThatReadAreCalled() throws Exception {
        SimulatedDriver source = frozen("h200");

        capture(source, false);

        Set<String> frame = Set.of("nvmlInit_v2", "nvmlShutdown");
        assertThat(source.calls().byFunction().keySet())
                .hasSizeGreaterThan(200)
                .allMatch(name -> frame.contains(name) || CaptureEntry.onlyReads(name));
        assertThat(source.sessions()).isZero();
    }

    @Test
    void whatNamesABoardOrAProcessIsReplaced() throws Exception {
        SimulatedDriver source = frozen("h200x2");
        source.gpu(0).setProcesses(List.of(new SimulatedProcess(4321, SimulatedProcess.Kind.COMPUTE, 1L << 30)));
        String uuid = source.gpu(1).uuid().substring("GPU-".length());

        String kept = capture(source, true).json("A test.");
        CaptureDocument document = capture(source, false);
        String replaced = document.json("A test.");

        assertThat(kept).contains(uuid, "4321", "0000000000002").contains("\"identifiers-replaced\" : false");
        assertThat(replaced).doesNotContain(uuid, "4321", source.gpu(0).uuid());
        SimulatedDriver replay = replay(document);
        assertThat(replay.gpu(0).uuid())
                .startsWith("GPU-0000000")
                .isNotEqualTo(replay.gpu(1).uuid());
        assertThat(replay.gpu(1).busId()).isEqualTo(source.gpu(1).busId());
        Nvml nvml = Nvml.open(replay, CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpu(0).orThrow().processes().compute().orThrow())
                .singleElement()
                .satisfies(process -> assertThat(process.pid()).isGreaterThan(SimulatedProcess.FIRST_PID));
    }

    @Test
    void callThatDoesNotReturnEndsTheCaptureOfItsGpuAlone() throws Exception {
        SimulatedDriver source = frozen("h200x3");
        Hang hang = source.gpu(1).hang("nvmlDeviceGetPowerUsage");

        CaptureDocument document = Capture.take(source, () -> 0, false, SHORT);

        assertThat(document.hung()).containsExactly("gpu1 nvmlDeviceGetPowerUsage");
        assertThat(document.gpus()).isEqualTo(3);
        assertThat(source.calls().of("nvmlDeviceGetFieldValues", 2)).isPositive();
        assertThat(source.calls().of("nvmlDeviceGetFieldValues", 1)).isZero();
        assertThat(source.sessions()).as("not shut down under a call").isEqualTo(1);
        hang.release();

        SimulatedDriver replay = replay(document);
        Nvml nvml = Nvml.open(replay, CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpu(2).orThrow().power().usage().value()).isPresent();
        CompletableFuture<Answer<Long>> power = CompletableFuture.supplyAsync(
                () -> nvml.gpu(1).orThrow().power().usage(),
                task -> Thread.ofPlatform().daemon().start(task));
        assertThat(nvml.gpu(1).orThrow().identity().name().orThrow()).isEqualTo("NVIDIA H200");
        assertThat(power).isNotDone();
        replay.gpu(1).heal();
        power.join();
    }

    @Test
    void gpuThatCannotBeAttachedIsOneOfThem() throws Exception {
        SimulatedDriver source = frozen("h200x3");
        source.gpu(0).lose();
        Hang hang = source.gpu(2).hang("nvmlDeviceGetHandleByIndex_v2");

        CaptureDocument document = Capture.take(source, () -> 0, false, SHORT);
        hang.release();

        assertThat(document.hung()).containsExactly("node nvmlDeviceGetHandleByIndex_v2");
        Nvml nvml = Nvml.open(replay(document), CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(3);
        assertThat(nvml.gpu(0))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByIndex_v2, NvmlReturn.GPU_IS_LOST));
        assertThat(nvml.gpu(1).orThrow().identity().name().orThrow()).isEqualTo("NVIDIA H200");
    }

    @Test
    void driverThatRefusesIsReplayedToo() throws Exception {
        SimulatedDriver source = frozen("h200");
        source.failInit(NvmlReturn.LIB_RM_VERSION_MISMATCH.code(), 1);
        CaptureDocument document = capture(source, false);

        assertThat(document.initCode()).isEqualTo(NvmlReturn.LIB_RM_VERSION_MISMATCH.code());
        assertThat(document.gpus()).isZero();
        assertThat(Nvml.open(replay(document), CallObserver.NONE, () -> 0))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlInit_v2, NvmlReturn.LIB_RM_VERSION_MISMATCH));
    }

    @Test
    void replayedGpuIsNotMoved() throws Exception {
        SimulatedDriver replay = replay(capture(frozen("h200"), false));
        replay.gpu(0).setMemoryUsed(1L << 30);
        replay.gpu(0).setTemperature(99);
        replay.gpu(0).answer("nvmlDeviceGetPowerUsage", NvmlReturn.NOT_SUPPORTED.code());

        Nvml nvml = Nvml.open(replay, CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpu(0).orThrow().thermal().gpu().orThrow()).isEqualTo(41);
        assertThat(nvml.gpu(0).orThrow().power().usage())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetPowerUsage, NvmlReturn.NOT_SUPPORTED));
    }

    @Test
    void olderDriverKeepsItsGaps() throws Exception {
        CaptureDocument captured = capture(frozen("h200@470"), true);

        SimulatedDriver replay = replay(captured);

        assertThat(replay.address("nvmlDeviceGetMemoryInfo_v2")).isEmpty();
        assertThat(replay.address("nvmlDeviceGetMemoryInfo")).isPresent();
        assertThat(capture(replay, true).json("A test.")).isEqualTo(captured.json("A test."));
    }

    @Test
    void gpuThatIsCutUpIsReplayedWithItsInstances() throws Exception {
        SimulatedDriver source = frozen("h200x2");
        source.gpu(1).mig().setMode(true);
        source.gpu(1).mig().create("3g.71gb", 4, "3g.71gb");
        source.gpu(1).mig().create("1g.18gb", 0, "1g.18gb");
        CaptureDocument captured = capture(source, true);

        SimulatedDriver replay = replay(captured);
        Nvml nvml = Nvml.open(replay, CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpu(1).orThrow().modes().mig().orThrow().current()).isTrue();

        assertThat(captured.json("A test.")).contains("\"gpu1/mig-device0\"", "\"gpu1/mig-device1\"");
        assertThat(capture(replay, true).json("A test.")).isEqualTo(captured.json("A test."));
        replay.gpu(0).mig().setMode(true);
        assertThat(nvml.gpu(0).orThrow().modes().mig().orThrow().current())
                .as("what is not in the capture")
                .isFalse();
    }

    @Test
    void capturedGpuMovesWhereItsFiguresAreAdded() throws Exception {
        String json = capture(frozen("h200"), false).json("A test.").replaceFirst("\"objects\"", """
                "hardware": {"pci-domain": 0, "pci-bus": 0, "pci-device": 6, "memory-total": 150754820096,
                  "memory-reserved": 644939776, "power-limit-mw": 700000, "temperature-max": 87},
                "idle": {"power-mw": 81818, "temperature": 35, "memory-temperature": 39, "graphics-mhz": 885,
                  "memory-mhz": 3201, "video-mhz": 900, "energy-mj": 2606881},
                "busy": {"power-mw": 690000, "temperature": 74, "memory-temperature": 84, "graphics-mhz": 1980,
                  "memory-mhz": 3201, "video-mhz": 1545},
                "objects\"""");
        Path file = Files.writeString(folder.resolve("card.json"), json);

        SimulatedDriver two = SimulatedDriver.start(SimProfile.parse(file + "x2"), () -> 0);
        two.gpu(1).setUtilization(50, 5);

        Nvml nvml = Nvml.open(two, CallObserver.NONE, () -> 0).orThrow();
        assertThat(nvml.gpu(1).orThrow().utilization().rates().orThrow().gpu()).isEqualTo(50);
        assertThat(nvml.gpu(1).orThrow().identity().name().orThrow()).isEqualTo("NVIDIA H200");
        assertThat(nvml.gpu(1).orThrow().identity().uuid().orThrow())
                .isEqualTo(two.gpu(1).uuid());
        assertThat(nvml.gpu(1).orThrow().power().enforcedLimit().orThrow()).isEqualTo(700_000);
        assertThat(two.calls().failures()).isEmpty();
    }

    @Test
    void latenciesAreCapturedAndSpent() throws Exception {
        long[] now = new long[1];
        SimulatedDriver source = frozen("h200");
        source.spendLatency(nanos -> now[0] += nanos);
        CaptureDocument document = Capture.take(source, () -> now[0], false, Capture.Deadlines.DEFAULT);

        long[] spent = new long[1];
        SimulatedDriver replay = replay(document);
        replay.spendLatency(nanos -> spent[0] += nanos);
        Gpu gpu = Nvml.open(replay, CallObserver.NONE, () -> 0).orThrow().gpu(0).orThrow();
        assertThat(spent[0]).as("nvmlInit_v2 and the GPU's handle").isBetween(9_628_600L, 9_700_000L);
        spent[0] = 0;
        gpu.clocks().max(io.gpuagent.nvml.Clocks.Domain.SM);

        // As the capture has it for nvmlDeviceGetMaxClockInfo of the SMs.
        assertThat(spent[0]).isBetween(1_960_430L, 1_970_000L);
    }
}
