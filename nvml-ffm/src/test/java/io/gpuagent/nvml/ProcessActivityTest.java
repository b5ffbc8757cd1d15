// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlAccountingStats_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessDetailList_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessDetail_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessUtilizationSample_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessesUtilizationInfo_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What processes have and do. */
class ProcessActivityTest {
    private final FakeLibrary library = new FakeLibrary();
    private final CallLog log = new CallLog();
    private final Gpu gpu = FakeGpu.of(library, log);

    private static long pointer(Struct struct, String member) {
        return struct.part(member).get(JAVA_LONG, 0);
    }

    @ParameterizedTest
    @EnumSource
    void detailsAreOfTheModeAskedFor(ProcessDetail.Mode mode) {
        library.with("nvmlDeviceGetRunningProcessDetailList", arguments -> {
            Struct list = FakeGpu.struct(nvmlProcessDetailList_v1_t, arguments[1]);
            if (list.s32("version") != (24 | 1 << 24)) {
                return NvmlReturn.ARGUMENT_VERSION_MISMATCH.code();
            }
            Struct process = FakeGpu.struct(nvmlProcessDetail_v1_t, pointer(list, "procArray"));
            process.set("pid", 100 + list.s32("mode"));
            process.set("usedGpuMemory", -1L);
            process.set("gpuInstanceId", 3);
            process.set("computeInstanceId", -1);
            list.set("numProcArrayEntries", 1);
            return 0;
        });

        assertThat(gpu.processes().details(mode).orThrow())
                .containsExactly(new ProcessDetail(
                        100 + mode.code(),
                        OptionalLong.empty(),
                        OptionalLong.of(0),
                        OptionalInt.of(3),
                        OptionalInt.empty()));
    }

    @Test
    void utilizationIsSinceTheTimeGiven() {
        library.with("nvmlDeviceGetProcessesUtilizationInfo", arguments -> {
            Struct list = FakeGpu.struct(nvmlProcessesUtilizationInfo_v1_t, arguments[1]);
            Struct process = FakeGpu.struct(nvmlProcessUtilizationInfo_v1_t, pointer(list, "procUtilArray"));
            process.set("pid", 7);
            process.set("timeStamp", list.u64("lastSeenTimeStamp") + 1);
            process.set("smUtil", 97);
            process.set("ofaUtil", 5);
            list.set("processSamplesCount", 1);
            return 0;
        });

        assertThat(gpu.processes().utilization(41).orThrow())
                .containsExactly(new ProcessUtilization(7, 42, 97, 0, 0, 0, OptionalInt.of(0), OptionalInt.of(5)));
    }

    @Test
    void olderDriversTellLess() {
        library.with("nvmlDeviceGetProcessUtilization", arguments -> {
            Struct process = FakeGpu.struct(nvmlProcessUtilizationSample_t, arguments[1]);
            process.set("pid", 7);
            process.set("timeStamp", arguments[3] + 1);
            process.set("decUtil", 12);
            FakeGpu.write(arguments[2], 1);
            return 0;
        });

        assertThat(gpu.processes().utilization(41).orThrow())
                .containsExactly(new ProcessUtilization(7, 42, 0, 0, 0, 12, OptionalInt.empty(), OptionalInt.empty()));
    }

    @Test
    void nobodyBusyIsNoReasonToAskTheOlderFunction() {
        library.with("nvmlDeviceGetProcessesUtilizationInfo", arguments -> 6)
                .with("nvmlDeviceGetProcessUtilization", NvmlReturn.SUCCESS);

        assertThat(gpu.processes().utilization(0))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetProcessesUtilizationInfo, new NvmlReturn(6)));
        assertThat(log.lines()).noneMatch(line -> line.contains("GetProcessUtilization"));
    }

    private void accounting(int isRunning) {
        library.with("nvmlDeviceGetAccountingStats", arguments -> {
            Struct stats = FakeGpu.struct(nvmlAccountingStats_t, arguments[2]);
            stats.set("gpuUtilization", -1);
            stats.set("memoryUtilization", (int) arguments[1]);
            stats.set("maxMemoryUsage", -1L);
            stats.set("time", isRunning == 1 ? 0L : 5000L);
            stats.set("startTime", 1_796_115_822_416_411L);
            stats.set("isRunning", isRunning);
            return 0;
        });
    }

    @Test
    void processOnRecordHasATimeOnceItHasEnded() {
        accounting(0);

        assertThat(gpu.accounting().stats(9).orThrow())
                .isEqualTo(new Accounting.Stats(
                        OptionalInt.empty(),
                        OptionalInt.of(9),
                        OptionalLong.empty(),
                        OptionalLong.of(5000),
                        1_796_115_822_416_411L,
                        false));
    }

    @Test
    void zeroOfAProcessThatRunsIsNoTime() {
        accounting(1);

        Accounting.Stats stats = gpu.accounting().stats(9).orThrow();

        assertThat(stats.isRunning()).isTrue();
        assertThat(stats.activeMillis()).isEmpty();
    }
}
