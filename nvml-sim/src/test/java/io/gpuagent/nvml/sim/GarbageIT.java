// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nonsense for an answer: it reaches everything that the answer would, and not a byte more. */
class GarbageIT {
    /** Parameters that point to the first of several; nvml.h does not tell them apart. */
    private static final Set<String> LISTS = Set.of(
            "addresses",
            "clocksMHz",
            "cpuSet",
            "deviceArray",
            "devices",
            "hwbcEntries",
            "infos",
            "nodeSet",
            "pids",
            "pstates",
            "samples",
            "sessionInfo",
            "sessionInfos",
            "timestamps",
            "utilization",
            "utilizationSamples",
            "values",
            "vgpuInstances",
            "vgpuTypeIds");
    /** In these the caller does not say for how many there is room. */
    private static final Set<String> LISTS_OF_ALL = Set.of("placements", "gpuInstances", "computeInstances");

    private static final int ROOM = 2;
    private static final int TEXT = 96;
    private static final Set<String> WIDE = Set.of("unsigned long long", "unsigned long");

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), new ManualNanos());
    private final RawNvml nvml = new RawNvml(driver);
    private long device;

    @BeforeEach
    void start() {
        nvml.call("nvmlInit_v2");
        device = nvml.device(1);
        driver.gpu(1)
                .setProcesses(List.of(
                        new SimulatedProcess(6_000_001, SimulatedProcess.Kind.COMPUTE, 1L << 30),
                        new SimulatedProcess(6_000_002, SimulatedProcess.Kind.COMPUTE, 1L << 30)));
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    static List<Garbage> kinds() {
        return List.of(Garbage.ONES, Garbage.RANDOM, Garbage.COUNTS, Garbage.value(200_000), Garbage.value(-1));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void itIsNeverWrittenBehindTheCallersMemory(Garbage kind) {
        driver.faults().garble(Faults.ALL, kind, Turns.ALL);
        int succeeded = 0;
        for (CFunction function : Abi.get().functions().values()) {
            boolean isFrame = function.name().startsWith("nvmlInit")
                    || function.name().equals("nvmlShutdown")
                    || function.name().contains("EventSetWait");
            if (function.returns() == 'I' && !isFrame && nvml.call(function.name(), arguments(function)) == 0) {
                succeeded++;
            }
        }

        assertThat(succeeded).isGreaterThan(150);
    }

    private Object[] arguments(CFunction function) {
        List<Object> arguments = new ArrayList<>();
        for (CFunction.Parameter parameter : function.parameters()) {
            arguments.add(parameter.isPointer() ? memory(parameter) : input(function, parameter));
        }
        return arguments.toArray();
    }

    /** Exactly as much as the function may write to. */
    private Guarded memory(CFunction.Parameter parameter) {
        int elements = LISTS.contains(parameter.name()) ? ROOM : LISTS_OF_ALL.contains(parameter.name()) ? 16 : 1;
        if (Abi.get().structs().has(parameter.type())) {
            CStruct struct = Abi.get().structs().get(parameter.type());
            Guarded memory = nvml.structs(parameter.type(), elements);
            memory.segment().fill((byte) 0);
            if (struct.isVersioned()) {
                Abi.get().structs().versions(struct).keySet().stream()
                        .filter(word -> (word & 0xFF_FFFF) == struct.size())
                        .findFirst()
                        .ifPresent(word -> memory.with("version", word));
            }
            return memory;
        }
        if (parameter.type().equals("char")) {
            Guarded text = nvml.bytes(TEXT);
            text.segment().fill((byte) 0);
            return text;
        }
        boolean isWide = WIDE.contains(parameter.type()) || parameter.isHandle() || isOpaque(parameter.type());
        Guarded numbers = nvml.bytes((isWide ? 8L : 4L) * elements);
        numbers.segment().fill((byte) 0);
        return GarbageBytes.isCount(parameter.name()) && !isWide ? numbers.setInt(0, ROOM) : numbers;
    }

    private static boolean isOpaque(String type) {
        return Set.of("nvmlEventSet_t", "nvmlSystemEventSet_t", "nvmlGpmSample_t", "nvmlUnit_t")
                .contains(type);
    }

    private Object input(CFunction function, CFunction.Parameter parameter) {
        if (parameter.type().equals("nvmlDevice_t")) {
            return device;
        }
        char kind = function.kinds().charAt(parameter.index());
        if (kind != 'I') {
            return 0L;
        }
        return switch (parameter.name()) {
            case "valuesCount", "cpuSetSize", "nodeSetSize" -> ROOM;
            case "size" -> function.name().endsWith("PerformanceStates") ? ROOM * 4 : TEXT;
            default -> function.isBufferLength(parameter.index()) ? TEXT : 0;
        };
    }

    @Test
    void onesFillANumberAndTextsHaveNoEnd() {
        driver.gpu(1).faults().garble(Faults.ALL, Garbage.ONES, Turns.ALL);
        Guarded power = nvml.bytes(4);
        Guarded name = nvml.bytes(96);

        assertThat(nvml.call("nvmlDeviceGetPowerUsage", device, power)).isZero();
        assertThat(nvml.call("nvmlDeviceGetName", device, name, 96)).isZero();

        assertThat(power.getInt(0)).isEqualTo(-1);
        assertThat(name.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .containsOnly(-1);
    }

    @Test
    void aCountCanBeLargerThanTheCallersRoomWithoutABiggerList() {
        driver.gpu(1).faults().garble("nvmlDeviceGetComputeRunningProcesses_v3", Garbage.COUNTS, Turns.ALL);
        Guarded count = nvml.bytes(4).setInt(0, 2);
        Guarded infos = nvml.structs("nvmlProcessInfo_t", 2);

        assertThat(nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", device, count, infos))
                .isZero();

        assertThat(count.getInt(0)).isEqualTo(102);
        assertThat(infos.get("pid", 1)).isEqualTo(6_000_002);
    }

    @Test
    void ofAFieldValueOnlyTheValueIsGarbled() {
        driver.gpu(1).faults().garble("nvmlDeviceGetFieldValues", Garbage.value(200_000), Turns.ALL);
        Guarded field = nvml.struct("nvmlFieldValue_t").with("fieldId", 186).with("scopeId", 0);

        assertThat(nvml.call("nvmlDeviceGetFieldValues", device, 1, field)).isZero();

        assertThat(field.get("fieldId")).isEqualTo(186);
        assertThat(field.get("nvmlReturn")).isZero();
        assertThat(field.get("value.ullVal")).isEqualTo(200_000);
    }

    @Test
    void aRefusedCallStaysAsItIs() {
        driver.gpu(1).faults().garble(Faults.ALL, Garbage.ONES, Turns.ALL);
        Guarded speed = nvml.bytes(4);

        assertThat(nvml.call("nvmlDeviceGetFanSpeed", device, speed)).isEqualTo(Code.NOT_SUPPORTED);

        assertThat(speed.isUntouched()).isTrue();
    }

    @Test
    void randomBytesAreTheSameInEveryRun() {
        driver.gpu(1).faults().garble("nvmlDeviceGetPowerUsage", Garbage.RANDOM, Turns.ALL);
        Guarded power = nvml.bytes(4);
        nvml.call("nvmlDeviceGetPowerUsage", device, power);
        int first = power.getInt(0);

        SimulatedDriver again = SimulatedDriver.start(SimProfile.parse("h200x2"), new ManualNanos());
        again.gpu(1).faults().garble("nvmlDeviceGetPowerUsage", Garbage.RANDOM, Turns.ALL);
        try (RawNvml other = new RawNvml(again)) {
            other.call("nvmlInit_v2");
            Guarded same = other.bytes(4);
            assertThat(other.call("nvmlDeviceGetPowerUsage", other.device(1), same))
                    .isZero();
            assertThat(same.getInt(0)).isEqualTo(first);
        }
    }
}
