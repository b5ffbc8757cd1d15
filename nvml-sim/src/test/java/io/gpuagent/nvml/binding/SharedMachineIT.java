// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.ComputeInstance;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Event;
import io.gpuagent.nvml.EventSet;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstance;
import io.gpuagent.nvml.MigDevice;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.Placement;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import io.gpuagent.nvml.sim.StateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes see one machine, whose state is in a file. */
class SharedMachineIT {
    /** By id: 1g.18gb. */
    private static final int ONE_SLICE = 19;

    @TempDir
    private Path folder;

    private final AtomicLong time = new AtomicLong(1_800_000_000_000_000_000L);
    private final List<SimulatedDriver> drivers = new ArrayList<>();

    @AfterEach
    void simulatorItselfDidNotFail() {
        drivers.forEach(driver -> assertThat(driver.calls().failures()).isEmpty());
    }

    private Path state() {
        return folder.resolve("machine.json");
    }

    /** What another process would open, on a clock that is moved by hand. */
    private SimulatedDriver open(String profile) {
        SimulatedDriver driver = SimulatedDriver.open(SimProfile.parse(profile), time::get, 1, state());
        drivers.add(driver);
        return driver;
    }

    private static Nvml session(SimulatedDriver driver) {
        return Nvml.open(driver, new CallLog(), () -> 0, Access.CONTROL).orThrow();
    }

    private void advanceSeconds(long seconds) {
        time.addAndGet(seconds * 1_000_000_000L);
    }

    @Test
    void whatOneSetsTheOtherReads() {
        SimulatedDriver first = open("h200x2");
        SimulatedDriver second = open("h200x2");
        Gpu of1 = session(first).gpu(1).orThrow();
        Gpu of2 = session(second).gpu(1).orThrow();

        of1.control().power().limit(250_000).orThrow();
        of1.control().persistence(false).orThrow();
        first.gpu(1).state().addUncorrectedErrors(2);
        first.gpu(1).state().setRemappedRows(0, 1, true, false);
        first.gpu(1).setTemperature(71);
        first.gpu(1).start(new SimulatedProcess(5_900_000, SimulatedProcess.Kind.COMPUTE, 1L << 30));

        assertThat(of2.power().requestedLimit().orThrow()).isEqualTo(250_000);
        assertThat(of2.modes().persistence().orThrow()).isFalse();
        assertThat(of2.ecc()
                        .total(Ecc.ErrorType.UNCORRECTED, Ecc.Counter.AGGREGATE)
                        .orThrow())
                .isEqualTo(2);
        assertThat(of2.ecc().remappedRows().orThrow().pending()).isTrue();
        assertThat(of2.thermal().gpu().orThrow()).isEqualTo(71);
        assertThat(of2.processes().compute().orThrow()).anyMatch(process -> process.pid() == 5_900_000);

        second.gpu(1).stop(5_900_000);
        assertThat(of1.processes().compute().orThrow()).noneMatch(process -> process.pid() == 5_900_000);
    }

    @Test
    void energyAndMemoryAreTheSameWhoeverReadsThemAndSinceWhenever() {
        SimulatedDriver first = open("h200x2");
        Gpu of1 = session(first).gpu(1).orThrow();
        advanceSeconds(100);
        first.gpu(1).setPower(250_000);
        advanceSeconds(50);

        Gpu of2 = session(open("h200x2")).gpu(1).orThrow();
        assertThat(of2.power().energy().orThrow())
                .isEqualTo(of1.power().energy().orThrow());
        assertThat(of2.memory().use()).isEqualTo(of1.memory().use());
        advanceSeconds(50);
        assertThat(of2.power().energy().orThrow())
                .isEqualTo(of1.power().energy().orThrow());
    }

    @Test
    void instanceOfAnotherIsSeenUnderTheSameUuidAndItsHandlesDieWithIt() {
        SimulatedDriver first = open("h200x2");
        SimulatedDriver second = open("h200x2");
        Gpu of1 = session(first).gpu(0).orThrow();
        Gpu of2 = session(second).gpu(0).orThrow();
        of1.mig().setMode(true).orThrow();

        GpuInstance made = of1.mig().create(ONE_SLICE, new Placement(3, 1)).orThrow();
        ComputeInstance compute = made.create(0).orThrow();

        int id = made.info().orThrow().id();
        GpuInstance seen = of2.mig().instance(id).orThrow();
        MigDevice device = of2.mig().device(0).orThrow();
        assertThat(seen.info().orThrow()).isEqualTo(made.info().orThrow());
        assertThat(device.uuid()).isEqualTo(of1.mig().device(0).orThrow().uuid());

        compute.destroy().orThrow();
        made.destroy().orThrow();
        of1.mig().create(ONE_SLICE, new Placement(3, 1)).orThrow();

        assertThat(seen.info())
                .as("another instance has its id and its place now")
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlGpuInstanceGetInfo, NvmlReturn.INVALID_ARGUMENT));
        assertThat(device.uuid().value()).isEmpty();
        assertThat(of2.mig().instance(id).orThrow().info().value()).isPresent();
    }

    @Test
    void whatOneHoldsTheOtherCannotDestroy() {
        SimulatedDriver first = open("h200x2");
        Gpu of2 = session(open("h200x2")).gpu(0).orThrow();
        first.gpu(0).mig().setMode(true);
        int id = first.gpu(0).mig().create("1g.18gb", 0);
        try (var holder = first.gpu(0).mig().hold(id)) {
            assertThat(holder).isNotNull();
            assertThat(of2.mig().instance(id).orThrow().destroy())
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlGpuInstanceDestroy, NvmlReturn.IN_USE));
        }
        of2.mig().instance(id).orThrow().destroy().orThrow();
        assertThat(first.gpu(0).mig().layout()).isEmpty();
    }

    @Test
    void rebootEndsTheSessionsOfAllAndMigModeStaysOnAmpereAlone() {
        for (String card : List.of("h200", "a100-40gb")) {
            SimulatedDriver first = open(card);
            SimulatedDriver second = open(card);
            Nvml session = session(second);
            first.gpu(0).mig().setMode(true);
            first.gpu(0).mig().create(card.equals("h200") ? "1g.18gb" : "1g.5gb", 0);
            String boot = second.life().bootId();
            assertThat(first.life().bootId()).isEqualTo(boot);

            first.reboot();

            assertThat(session.gpuCount())
                    .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.UNINITIALIZED));
            assertThat(second.life().bootId()).isEqualTo(first.life().bootId()).isNotEqualTo(boot);
            Gpu after = session(second).gpu(0).orThrow();
            assertThat(after.modes().mig().orThrow().current()).isEqualTo(card.equals("a100-40gb"));
            assertThat(second.gpu(0).mig().layout()).isEmpty();
            deleteState();
        }
    }

    private void deleteState() {
        try {
            Files.delete(state());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void driverThatOneUnloadsIsGoneForAll() {
        SimulatedDriver first = open("h200x2");
        SimulatedDriver second = open("h200x2");
        Nvml session = session(second);

        first.life().unload();
        assertThat(session.gpuCount())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.DRIVER_NOT_LOADED));

        first.life().find(1);
        first.life().load();
        session.close();
        Nvml fresh = session(second);
        assertThat(fresh.gpuCount().orThrow()).isEqualTo(1);
        assertThat(fresh.gpu(0).orThrow().identity().uuid().orThrow())
                .isEqualTo(second.gpu(1).uuid());
    }

    @Test
    void fileThatIsNotAMachinesStateIsToldInOneSentence() throws IOException {
        open("h200x2");
        String good = Files.readString(state());

        Files.writeString(state(), good.substring(0, good.length() / 2));
        assertThatThrownBy(() -> open("h200x2"))
                .isInstanceOf(StateException.class)
                .hasMessageMatching("the state of the simulated machine cannot be read: .*machine\\.json:1:\\d+: .*;"
                        + " without .*machine\\.json the machine starts anew");
        Files.writeString(state(), good.replace("\"format\":1", "\"format\":2"));
        assertThatThrownBy(() -> open("h200x2"))
                .hasMessageContaining("format 2 is not known to this build, which reads 1");
        Files.writeString(state(), good.replace("\"removed\":[]", "\"removed\":[4]"));
        assertThatThrownBy(() -> open("h200x2")).hasMessageContaining("removed names GPU 4 of a machine that has 2");
        Files.writeString(state(), good);
        assertThatThrownBy(() -> open("h200x4"))
                .hasMessageContaining("holds the state of a simulated h200x2, not of h200x4");
        assertThatThrownBy(() -> SimulatedDriver.open(
                        SimProfile.parse("h200"),
                        time::get,
                        1,
                        folder.resolve("missing").resolve("machine.json")))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot be kept in");
        open("h200x2");
    }

    @Test
    void instanceThatAnotherProcessMakesIsSeenWithItsEvent() throws IOException, InterruptedException {
        SimulatedDriver here = MachineProcess.open(state());
        Nvml session = session(here);
        Gpu gpu = session.gpu(0).orThrow();
        gpu.mig().setMode(true).orThrow();
        EventSet events = session.events().orThrow();
        events.register(gpu, EventType.MIG_CONFIG_CHANGE.bit()).orThrow();
        try (MachineProcess other = MachineProcess.start(state())) {
            other.tell("create " + ONE_SLICE);

            Optional<Event> event = events.await(Duration.ofSeconds(60)).orThrow();

            assertThat(event.orElseThrow().type()).contains(EventType.MIG_CONFIG_CHANGE);
            String made = other.answer().replaceAll("\\D", "");
            assertThat(gpu.mig().instance(Integer.parseInt(made)).value()).isPresent();

            gpu.mig().instance(Integer.parseInt(made)).orThrow().destroy().orThrow();
            assertThat(other.ask("layout")).isEqualTo("[]");
            String boot = other.ask("reboot");
            assertThat(gpu.modes().mig().value()).isEmpty();
            assertThat(here.life().bootId()).isEqualTo(boot);
        }
    }

    @Test
    void instancesThatTwoProcessesMakeAtOnceNeverOverlap() throws IOException, InterruptedException {
        SimulatedDriver here = MachineProcess.open(state());
        here.gpu(0).mig().setMode(true);
        try (MachineProcess one = MachineProcess.start(state());
                MachineProcess two = MachineProcess.start(state())) {
            one.tell("create-all " + ONE_SLICE);
            two.tell("create-all " + ONE_SLICE);
            int made = Integer.parseInt(one.answer()) + Integer.parseInt(two.answer());

            assertThat(made).isEqualTo(7);
            assertThat(here.gpu(0).mig().layout())
                    .isEqualTo(IntStream.range(0, 7)
                            .mapToObj(start -> "1g.18gb@" + start + "{}")
                            .toList());
        }
    }

    @Test
    void processThatIsKilledAmidItsChangesLeavesAMachineThatOthersUse() throws IOException, InterruptedException {
        SimulatedDriver here = MachineProcess.open(state());
        Gpu gpu = session(here).gpu(0).orThrow();
        gpu.mig().setMode(true).orThrow();
        for (int i = 0; i < 5; i++) {
            try (MachineProcess other = MachineProcess.start(state())) {
                assertThat(other.ask("churn")).isEqualTo("churning");
                // Until it is in the middle of its work: as far as it has come differs from time to time.
                long before = Files.getLastModifiedTime(state()).toMillis();
                while (Files.getLastModifiedTime(state()).toMillis() == before) {
                    Thread.onSpinWait();
                }
                other.kill();
            }
            SimulatedDriver fresh = MachineProcess.open(state());
            assertThat(session(fresh).gpu(0).orThrow().modes().mig().orThrow().current())
                    .isTrue();
            gpu.control().power().limit(400_000 + i).orThrow();
            assertThat(session(fresh).gpu(0).orThrow().power().requestedLimit().orThrow())
                    .isEqualTo(400_000 + i);
            for (GpuInstance left : gpu.mig().instances().orThrow()) {
                left.destroy().orThrow();
            }
        }
    }
}
