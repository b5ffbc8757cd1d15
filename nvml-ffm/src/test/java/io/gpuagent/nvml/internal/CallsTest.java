// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetCount_v2;
import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetPowerUsage;
import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetRemappedRows;
import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetSamples;
import static io.gpuagent.nvml.NvmlFunction.nvmlDeviceGetTotalEccErrors;
import static io.gpuagent.nvml.NvmlFunction.nvmlInit_v2;
import static io.gpuagent.nvml.NvmlFunction.nvmlShutdown;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.CallLog;
import io.gpuagent.nvml.FakeLibrary;
import io.gpuagent.nvml.NvmlReturn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CallsTest {
    private final FakeLibrary library = new FakeLibrary();
    private final CallLog log = new CallLog();
    private final AtomicLong clock = new AtomicLong(1_000);
    private final Calls calls = new Calls(library, log, clock::get, Access.READ_ONLY);
    private final Handle gpu = new Handle(calls, MemorySegment.ofAddress(0x6000), 6);

    @Test
    void argumentsArriveInTheOrderOfTheCSignature() {
        library.with("nvmlDeviceGetTotalEccErrors", arguments -> {
            FakeLibrary.memory(arguments[3], Long.BYTES)
                    .set(JAVA_LONG, 0, arguments[0] + 10 * arguments[1] + arguments[2]);
            return 0;
        });
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);

            int code = calls.call(nvmlDeviceGetTotalEccErrors, gpu, 3, 7, out);

            assertThat(code).isZero();
            assertThat(out.get(JAVA_LONG, 0)).isEqualTo(0x6000 + 37);
        }
    }

    @Test
    void fiveArgumentsArriveToo() {
        library.with("nvmlDeviceGetRemappedRows", arguments -> {
            for (int i = 1; i <= 4; i++) {
                FakeLibrary.memory(arguments[i], Integer.BYTES).set(JAVA_INT, 0, i);
            }
            return 0;
        });
        Scratch scratch = Scratch.fresh();
        MemorySegment[] out = {
            scratch.take(JAVA_INT), scratch.take(JAVA_INT), scratch.take(JAVA_INT), scratch.take(JAVA_INT)
        };

        assertThat(calls.call(nvmlDeviceGetRemappedRows, gpu, out[0], out[1], out[2], out[3]))
                .isZero();
        assertThat(out).extracting(segment -> segment.get(JAVA_INT, 0)).containsExactly(1, 2, 3, 4);
    }

    @Test
    void numbersOfBothWidthsArriveWhole() {
        List<Long> arrived = new ArrayList<>();
        library.with("nvmlDeviceGetSamples", arguments -> {
            arrived.addAll(LongStream.of(arguments).boxed().toList());
            return 0;
        });
        MemorySegment out = Scratch.fresh().take(JAVA_INT);

        assertThat(calls.call(nvmlDeviceGetSamples, gpu, -2, 0x8877_6655_4433_2211L, out, out, out))
                .isZero();
        assertThat(arrived)
                .containsExactly(0x6000L, -2L, 0x8877_6655_4433_2211L, out.address(), out.address(), out.address());
    }

    @Test
    void functionIsNotCalledWithTheArgumentsOfAnother() {
        library.with("nvmlDeviceGetPowerUsage", NvmlReturn.SUCCESS);

        assertThatThrownBy(() -> calls.call(nvmlDeviceGetPowerUsage, gpu, 1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("nvmlDeviceGetPowerUsage takes PP, not PI");
        assertThat(log.lines()).isEmpty();
        assertThat(calls.close()).as("it is not under way").isTrue();
    }

    @Test
    void observerSeesEachCallBeforeAndAfterWithGpuCodeAndDuration() {
        library.with("nvmlDeviceGetPowerUsage", arguments -> {
            clock.addAndGet(330);
            return NvmlReturn.NOT_SUPPORTED.code();
        });

        calls.call(nvmlDeviceGetPowerUsage, gpu, Scratch.fresh().take(JAVA_INT));

        assertThat(log.lines())
                .containsExactly("before nvmlDeviceGetPowerUsage on 6", "after nvmlDeviceGetPowerUsage on 6: 3 in 330");
    }

    @Test
    void observerIsToldBeforeTheCallIsMade() {
        library.with(
                "nvmlInit_v2",
                arguments -> log.lines().equals(List.of("before nvmlInit_v2 on -1")) ? 0 : NvmlReturn.UNKNOWN.code());

        assertThat(calls.call(nvmlInit_v2)).isZero();
    }

    @Test
    void functionThatIsMissingAnswersSoAndCallsNobody() {
        int code = calls.call(nvmlDeviceGetPowerUsage, gpu, Scratch.fresh().take(JAVA_INT));

        assertThat(code).isEqualTo(NvmlReturn.FUNCTION_NOT_FOUND.code());
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void functionIsLookedUpOnceWhetherItIsThereOrNot() {
        library.with("nvmlInit_v2", NvmlReturn.SUCCESS);
        for (int i = 0; i < 3; i++) {
            calls.call(nvmlInit_v2);
            calls.call(nvmlDeviceGetPowerUsage, gpu, Scratch.fresh().take(JAVA_INT));
        }

        assertThat(library.lookUps()).containsExactly("nvmlInit_v2", "nvmlDeviceGetPowerUsage");
    }

    @Test
    void olderNameIsTakenWhereTheNewerIsMissing() {
        library.with("nvmlDeviceGetCount", arguments -> {
            FakeLibrary.memory(arguments[0], Integer.BYTES).set(JAVA_INT, 0, 8);
            return 0;
        });
        MemorySegment count = Scratch.fresh().take(JAVA_INT);

        assertThat(calls.call(nvmlDeviceGetCount_v2, count)).isZero();
        assertThat(count.get(JAVA_INT, 0)).isEqualTo(8);
        assertThat(library.lookUps()).containsExactly("nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
    }

    @Test
    void closedSessionAnswersUninitializedWithoutACall() {
        library.with("nvmlDeviceGetPowerUsage", NvmlReturn.SUCCESS);

        assertThat(calls.close()).isTrue();

        assertThat(calls.call(nvmlDeviceGetPowerUsage, gpu, Scratch.fresh().take(JAVA_INT)))
                .isEqualTo(NvmlReturn.UNINITIALIZED.code());
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void shutdownIsTheOneCallThatAClosedSessionLetsThrough() {
        library.with("nvmlShutdown", NvmlReturn.SUCCESS);
        calls.close();

        assertThat(calls.shutdown()).isZero();
        assertThat(log.lines()).first().isEqualTo("before " + nvmlShutdown + " on -1");
    }

    @Test
    void closeSaysNoWhileACallIsInFlightAndYesAfterwards() throws InterruptedException {
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        library.with("nvmlDeviceGetPowerUsage", arguments -> {
            isInside.countDown();
            return awaited(mayReturn) ? 0 : NvmlReturn.UNKNOWN.code();
        });
        CompletableFuture<Integer> hanging = CompletableFuture.supplyAsync(
                () -> calls.call(nvmlDeviceGetPowerUsage, gpu, Scratch.fresh().take(JAVA_INT)),
                task -> Thread.ofPlatform().start(task));
        isInside.await();

        assertThat(calls.close()).isFalse();

        mayReturn.countDown();
        assertThat(hanging.join()).as("the call itself is not disturbed").isZero();
        assertThat(calls.close()).isTrue();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
