// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Numbers by which the driver says that it does not know are no values. */
class SentinelsTest {
    private final FakeLibrary library = new FakeLibrary();
    private final Gpu gpu = new Gpu(new Handle(
            new Calls(library, CallObserver.NONE, () -> 0, Access.READ_ONLY), MemorySegment.ofAddress(0x1000), 0));

    private void answering(String function, int value) {
        library.with(function, arguments -> {
            FakeLibrary.memory(arguments[arguments.length - 1], Integer.BYTES).set(JAVA_INT, 0, value);
            return 0;
        });
    }

    @Test
    void allOnesIn32BitsIsNoPower() {
        answering("nvmlDeviceGetPowerUsage", -1);

        assertThat(gpu.power().usage()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetPowerUsage));
    }

    @Test
    void allOnesIn64BitsIsNoEnergy() {
        library.with("nvmlDeviceGetTotalEnergyConsumption", arguments -> {
            FakeLibrary.memory(arguments[1], Long.BYTES).set(JAVA_LONG, 0, -1);
            return 0;
        });

        assertThat(gpu.power().energy())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetTotalEnergyConsumption));
    }

    @Test
    void aMemorySizeThatTheDriverDoesNotKnowMakesNoAnswer() {
        library.with("nvmlDeviceGetMemoryInfo_v2", arguments -> {
            MemorySegment memory = FakeLibrary.memory(arguments[1], 40);
            memory.set(JAVA_LONG, 8, 100);
            memory.set(JAVA_LONG, 16, 5);
            memory.set(JAVA_LONG, 24, 60);
            memory.set(JAVA_LONG, 32, -1);
            return 0;
        });
        library.with("nvmlDeviceGetBAR1MemoryInfo", arguments -> {
            FakeLibrary.memory(arguments[1], 24).fill((byte) -1);
            return 0;
        });

        assertThat(gpu.memory().use()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetMemoryInfo_v2));
        assertThat(gpu.memory().bar1()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetBAR1MemoryInfo));
    }

    @Test
    void aReserveThatTheDriverDoesNotKnowLeavesTheOtherSizes() {
        library.with("nvmlDeviceGetMemoryInfo_v2", arguments -> {
            MemorySegment memory = FakeLibrary.memory(arguments[1], 40);
            memory.set(JAVA_LONG, 8, 100);
            memory.set(JAVA_LONG, 16, -1);
            memory.set(JAVA_LONG, 24, 40);
            memory.set(JAVA_LONG, 32, 60);
            return 0;
        });

        assertThat(gpu.memory().use()).isEqualTo(new Answer.Value<>(new Memory.Use(100, 40, 60, OptionalLong.empty())));
    }

    @Test
    void allOnesIsNoTemperature() {
        library.with("nvmlDeviceGetTemperatureV", arguments -> {
            FakeLibrary.memory(arguments[1], 12).set(JAVA_INT, 8, -1);
            return 0;
        });

        assertThat(gpu.thermal().gpu()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetTemperatureV));
    }

    @Test
    void unknownPerformanceStateIsNone() {
        answering("nvmlDeviceGetPerformanceState", 32);

        assertThat(gpu.clocks().performanceState())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetPerformanceState));
    }

    @Test
    void aModeThatTheDriverDoesNotKnowIsNotOn() {
        answeringEach("nvmlDeviceGetMigMode", -1, 0);
        assertThat(gpu.modes().mig()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetMigMode));

        answeringEach("nvmlDeviceGetEccMode", 1, -1);
        assertThat(gpu.ecc().mode()).isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetEccMode));
    }

    @Test
    void aRemapThatTheDriverDoesNotKnowIsNotPending() {
        answeringEach("nvmlDeviceGetRemappedRows", 0, 0, -1, 0);

        assertThat(gpu.ecc().remappedRows())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetRemappedRows));
    }

    /** Answers through one out-parameter each, behind the device. */
    private void answeringEach(String function, int... values) {
        library.with(function, arguments -> {
            for (int i = 0; i < values.length; i++) {
                FakeLibrary.memory(arguments[i + 1], Integer.BYTES).set(JAVA_INT, 0, values[i]);
            }
            return 0;
        });
    }

    @Test
    void largeButValidNumbersStay() {
        answering("nvmlDeviceGetPowerUsage", 0xFFFF_FFFE);

        assertThat(gpu.power().usage().orThrow()).isEqualTo(4_294_967_294L);
    }

    @Test
    void zeroIsAValue() {
        answering("nvmlDeviceGetPowerUsage", 0);

        assertThat(gpu.power().usage().orThrow()).isZero();
    }
}
