// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever becomes of who writes a state file, it is there as a whole, and who reads it knows what is newest. */
class StateFileIT {
    @TempDir
    private Path folder;

    private final ManualNanos time = new ManualNanos();
    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("machine.json");
    }

    private SimulatedDriver open() {
        return SimulatedDriver.open(SimProfile.parse("h200x2"), time, 1, path);
    }

    @Test
    void changeWhoseWriterDiedBeforeItWasThereHasNotHappened() throws IOException {
        SimulatedDriver driver = open();
        driver.gpu(0).state().setComputeMode(3);
        String before = Files.readString(path);
        // As far as a writer comes that is killed between announcing its change and putting it in place.
        StateFile file = StateFile.open(path);
        long newest = file.stamp();
        file.stamp(newest + 1);
        Files.writeString(folder.resolve("machine.json.new"), before.substring(0, 40));

        driver.advance();
        assertThat(file.stamp()).as("set back").isEqualTo(newest);
        assertThat(Files.readString(path)).isEqualTo(before);

        driver.gpu(0).state().setComputeMode(2);
        assertThat(file.stamp()).isEqualTo(newest + 1);
        assertThat(open().gpu(0).state().computeMode()).isEqualTo(2);
        assertThat(folder.resolve("machine.json.new")).doesNotExist();
    }

    @Test
    void whatChangesNothingIsNotWritten() throws IOException {
        SimulatedDriver driver = open();
        driver.gpu(1).setTemperature(60);
        String before = Files.readString(path);

        driver.gpu(1).state().setComputeMode(0);
        time.advanceSeconds(1_000);
        driver.advance();

        assertThat(Files.readString(path)).isEqualTo(before);
    }

    @Test
    void machineLivesOnWhereItsFileIsTakenAwayAndIsWrittenAgainWithTheNextChange() throws IOException {
        SimulatedDriver first = open();
        SimulatedDriver second = open();
        first.gpu(0).setTemperature(60);
        Files.delete(path);

        second.gpu(1).setTemperature(61);
        first.advance();

        assertThat(path).exists();
        assertThat(first.gpu(1).sensors().temperature()).isEqualTo(61);
    }

    @Test
    void changesOfManyThreadsAndDriversAllHappen() throws InterruptedException {
        List<SimulatedDriver> drivers = List.of(open(), open(), open());
        List<Thread> threads = new ArrayList<>();
        for (SimulatedDriver driver : drivers) {
            for (int i = 0; i < 2; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < 20; n++) {
                        driver.gpu(0).state().addCorrectedErrors(1);
                    }
                }));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }

        for (SimulatedDriver driver : drivers) {
            driver.advance();
            assertThat(driver.gpu(0).state().eccErrors(0, 1)).isEqualTo(3 * 2 * 20);
        }
    }

    @Test
    void everythingThatIsKeptComesBackAsItWas() {
        SimulatedDriver first = open();
        SimulatedGpu gpu = first.gpu(1);
        gpu.mig().setMode(true);
        int instance = gpu.mig().create("3g.71gb", 4, "1c.3g.71gb", "1c.3g.71gb");
        gpu.mig().setUtilization(instance, 1, 70);
        gpu.mig().hold(instance, 0);
        gpu.start(new SimulatedProcess(5_900_001, SimulatedProcess.Kind.MPS, 1 << 20, instance, 1));
        gpu.state().setRemappedRows(1, 2, false, true);
        gpu.state().setRecoveryAction(2);
        gpu.raiseXid(94);
        gpu.raiseXid(94);
        gpu.setClockReasons(8);
        time.advanceSeconds(50);
        gpu.setMemoryTemperature(80);
        first.life().install("535");
        first.life().find(1, 0);
        first.gpu(0).remove();

        SimulatedDriver second = open();

        assertThat(MachineDocument.text(second.machine().saved()))
                .isEqualTo(MachineDocument.text(first.machine().saved()));
        assertThat(second.gpu(1).mig().layout()).isEqualTo(gpu.mig().layout());
        assertThat(second.gpu(1).state().xids(94)).isEqualTo(2);
        assertThat(second.gpu(1).limitedNanos(8)).isEqualTo(50_000_000_000L);
        assertThat(second.machine().numbered()).containsExactly(second.gpu(1));
    }

    @Test
    void longTimeIsCountedOnceAndNotByEachWhoOpensTheMachine() {
        SimulatedDriver first = open();
        time.advanceSeconds(30 * 24 * 3_600L);

        SimulatedDriver second = open();

        assertThat(second.gpu(1).keptSecond()).isEqualTo(30 * 24 * 3_600L);
        first.advance();
        assertThat(first.gpu(1).keptSecond()).isEqualTo(30 * 24 * 3_600L);
        assertThat(first.gpu(1).energyMillijoules()).isEqualTo(second.gpu(1).energyMillijoules());
    }

    @Test
    void damageOfAnyKindIsRefusedInOneSentenceOrDoesNoHarm() throws IOException {
        SimulatedDriver driver = open();
        driver.gpu(0).mig().setMode(true);
        int instance = driver.gpu(0).mig().create("3g.71gb", 4, "3g.71gb");
        driver.gpu(0).mig().hold(instance, 0);
        driver.gpu(1).start(new SimulatedProcess(5_900_001, SimulatedProcess.Kind.MPS, 1 << 20));
        driver.gpu(1).raiseXid(79);
        driver.life().find(1, 0);
        String good = Files.readString(path);
        int refused = 0;
        for (int at = 1; at < good.length() - 2; at += 7) {
            Files.writeString(path, good.substring(0, at) + '9' + good.substring(at + 1));
            try {
                open();
            } catch (StateException e) {
                assertThat(e.getMessage()).doesNotContain("\n");
                refused++;
            }
        }

        assertThat(refused).isGreaterThan(100);
    }
}
