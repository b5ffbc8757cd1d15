// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lists of processes from drivers of all kinds: nvmlDeviceGet*RunningProcesses_v3 came with 24 bytes a record, had 32 in
 * drivers 535.43 to 535.86, was gone in 535.98 and came back with 24 in 535.104; 16 were seen, too.
 */
class ProcessesIT {
    private static final String V3 = "nvmlDeviceGetComputeRunningProcesses_v3";
    private static final String V2 = "nvmlDeviceGetComputeRunningProcesses_v2";
    private static final String V1 = "nvmlDeviceGetComputeRunningProcesses";

    private final FakeLibrary library = new FakeLibrary();
    private final CallLog log = new CallLog();
    private final Processes processes = new Processes(
            new Handle(new Calls(library, log, () -> 0, Access.READ_ONLY), MemorySegment.ofAddress(0x1000), 0));

    /** A driver's protocol: the caller says how many records fit, and learns how many there are. */
    private static FakeLibrary.Body listing(ProcessList list, int stride, List<Integer> rooms) {
        return arguments -> {
            MemorySegment count = FakeLibrary.memory(arguments[1], Integer.BYTES);
            int room = count.get(JAVA_INT, 0);
            rooms.add(room);
            count.set(JAVA_INT, 0, list.size());
            if (room < list.size()) {
                return NvmlReturn.INSUFFICIENT_SIZE.code();
            }
            list.write(FakeLibrary.memory(arguments[2], (long) list.size() * stride), stride);
            return 0;
        };
    }

    private static FakeLibrary.Body listing(ProcessList list, int stride) {
        return listing(list, stride, new ArrayList<>());
    }

    @ParameterizedTest
    @CsvSource({V3 + ", 24", V3 + ", 32", V3 + ", 16", V2 + ", 24", V1 + ", 16"})
    void whicheverVersionTheDriverHasTheProcessesAreTheSame(String only, int stride) {
        ProcessList list = ProcessList.ofThree();
        library.with(only, listing(list, stride));

        assertThat(processes.compute().orThrow()).isEqualTo(list.expected(stride));
    }

    @ParameterizedTest
    @EnumSource
    void newestVersionThatIsThereIsTheOneCalled(Version newest) {
        for (Version version : Version.values()) {
            if (version.compareTo(newest) >= 0) {
                library.with(version.symbol, listing(new ProcessList(), version.stride));
            }
        }

        processes.compute();

        assertThat(log.lines()).first().isEqualTo("before " + newest.symbol + " on 0");
        assertThat(log.lines()).hasSize(2);
    }

    enum Version {
        V3(ProcessesIT.V3, 24),
        V2(ProcessesIT.V2, 24),
        V1(ProcessesIT.V1, 16);

        private final String symbol;
        private final int stride;

        Version(String symbol, int stride) {
            this.symbol = symbol;
            this.stride = stride;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 13, 25})
    void versionThatTheDriverDoesNotTakeIsFollowedByTheOlder(int code) {
        ProcessList list = ProcessList.ofThree();
        library.with(V3, arguments -> code).with(V2, listing(list, 24));

        assertThat(processes.compute().orThrow()).isEqualTo(list.expected(24));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 15, 999})
    void otherRefusalsAreTheAnswer(int code) {
        library.with(V3, arguments -> code).with(V2, listing(ProcessList.ofThree(), 24));

        assertThat(processes.compute())
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3, new NvmlReturn(code)));
    }

    @Test
    void driverWithNoneOfThemSaysSo() {
        assertThat(processes.compute())
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetComputeRunningProcesses, NvmlReturn.FUNCTION_NOT_FOUND));
    }

    @Test
    void graphicsAndMpsHaveListsOfTheirOwn() {
        library.with("nvmlDeviceGetGraphicsRunningProcesses_v3", listing(new ProcessList().with(7, 70), 24))
                .with("nvmlDeviceGetMPSComputeRunningProcesses_v3", listing(new ProcessList().with(8, 80), 24));

        assertThat(processes.graphics().orThrow()).extracting(ProcessInfo::pid).containsExactly(7);
        assertThat(processes.mps().orThrow()).extracting(ProcessInfo::pid).containsExactly(8);
    }

    @Test
    void listThatDoesNotFitIsAskedForAgainWithMoreRoomWhichIsKept() {
        List<Integer> rooms = new ArrayList<>();
        ProcessList list = ProcessList.of(100);
        library.with(V3, listing(list, 24, rooms));

        assertThat(processes.compute().orThrow()).isEqualTo(list.expected(24));
        assertThat(processes.compute().orThrow()).hasSize(100);

        assertThat(rooms).containsExactly(32, 108, 108);
    }

    @Test
    void listThatGrowsBetweenTwoCallsIsFollowed() {
        ProcessList list = ProcessList.of(40);
        FakeLibrary.Body driver = listing(list, 24);
        library.with(V3, arguments -> {
            int code = driver.call(arguments);
            for (int i = 0; code != 0 && i < 10 && list.size() < 60; i++) {
                list.with(9_000 + i, 1);
            }
            return code;
        });

        assertThat(processes.compute().orThrow()).hasSize(60);
    }

    @Test
    void listThatAlwaysOutgrowsItsRoomIsGivenUp() {
        AtomicInteger calls = new AtomicInteger();
        library.with(V3, arguments -> {
            calls.incrementAndGet();
            MemorySegment count = FakeLibrary.memory(arguments[1], Integer.BYTES);
            count.set(JAVA_INT, 0, count.get(JAVA_INT, 0) + 100);
            return NvmlReturn.INSUFFICIENT_SIZE.code();
        });

        assertThat(processes.compute())
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3, NvmlReturn.INSUFFICIENT_SIZE));
        assertThat(calls).hasValue(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000_000, Integer.MAX_VALUE, -1})
    void absurdCountsAreGivenUpAsOftenAsOneAsks(int claimed) {
        library.with(V3, arguments -> {
            FakeLibrary.memory(arguments[1], Integer.BYTES).set(JAVA_INT, 0, claimed);
            return NvmlReturn.INSUFFICIENT_SIZE.code();
        });

        for (int i = 0; i < 3; i++) {
            assertThat(processes.compute())
                    .isEqualTo(new Answer.Refused<>(
                            NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3, NvmlReturn.INSUFFICIENT_SIZE));
        }
    }

    @Test
    void successWithMoreProcessesThanFitIsNoList() {
        library.with(V3, arguments -> {
            FakeLibrary.memory(arguments[1], Integer.BYTES).set(JAVA_INT, 0, 33);
            return 0;
        });

        assertThat(processes.compute())
                .isEqualTo(new Answer.Unavailable<>(NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3));
    }
}
