// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.ProcessList.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of whatever size a driver writes give the same processes, and no invented ones. */
class ProcessRecordsTest {
    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3;
    private static final Answer<List<ProcessInfo>> UNREADABLE = new Answer.Unavailable<>(FUNCTION);
    private static final int ROOM = 32;

    private static Answer<List<ProcessInfo>> read(ProcessList list, int stride) {
        MemorySegment records = ProcessRecords.room(Scratch.fresh(), ROOM);
        list.write(records, stride);
        return ProcessRecords.read(FUNCTION, records, list.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void threeProcessesAreTheSameThreeAtEverySize(int stride) {
        ProcessList list = ProcessList.ofThree();

        assertThat(read(list, stride).orThrow()).isEqualTo(list.expected(stride));
        assertThat(read(list, stride).orThrow()).extracting(ProcessInfo::pid).containsExactly(1_234, 56_789, 4_194_303);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void oneProcessIsOneAtEverySize(int stride) {
        ProcessList list = new ProcessList().with(4_711, 3 * GIB);

        assertThat(read(list, stride).orThrow()).isEqualTo(list.expected(stride));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void listThatFillsItsRoomIsRead(int stride) {
        ProcessList list = ProcessList.of(ROOM);

        assertThat(read(list, stride).orThrow()).isEqualTo(list.expected(stride));
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "16, 2", "16, 5", "24, 1", "24, 2", "24, 5", "32, 1", "32, 2", "32, 5"})
    void smallPidsOfAContainerAndRoundSizesAreNotMistakenForInstances(int stride, int count) {
        ProcessList list = new ProcessList();
        for (int i = 0; i < count; i++) {
            // 4 GiB have a low half of zero: at a wrong record size pid, size and instance change places.
            list.with(i + 1, 4 * GIB);
        }

        assertThat(read(list, stride).orThrow()).isEqualTo(list.expected(stride));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void memoryThatTheDriverDoesNotTellIsAbsent(int stride) {
        ProcessList list = new ProcessList().with(10, -1).with(11, -1).with(12, GIB);

        List<ProcessInfo> processes = read(list, stride).orThrow();

        assertThat(processes).isEqualTo(list.expected(stride));
        assertThat(processes.getFirst().usedGpuMemory()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 32})
    void instancesOfMigAreRead(int stride) {
        ProcessList list = new ProcessList().with(10, GIB, 1, 0).with(11, GIB, 13, 2);

        List<ProcessInfo> processes = read(list, stride).orThrow();

        assertThat(processes.getLast().gpuInstanceId()).hasValue(13);
        assertThat(processes.getLast().computeInstanceId()).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({"16, 0", "16, -1", "24, 0", "24, -1", "32, 0", "32, -1"})
    void listWithAGarbagePidIsNoList(int stride, int pid) {
        ProcessList list = new ProcessList().with(1_234, GIB).with(pid, GIB).with(56_789, GIB);

        assertThat(read(list, stride)).isEqualTo(UNREADABLE);
    }

    @Test
    void recordsOfAnUnknownSizeAreNoList() {
        assertThat(read(ProcessList.of(6), 40)).isEqualTo(UNREADABLE);
    }

    @Test
    void libraryThatCountsAndWritesNothingGivesNoList() {
        MemorySegment untouched = ProcessRecords.room(Scratch.fresh(), ROOM);

        assertThat(ProcessRecords.read(FUNCTION, untouched, 2)).isEqualTo(UNREADABLE);
    }

    @Test
    void nobodyIsAnEmptyList() {
        MemorySegment untouched = ProcessRecords.room(Scratch.fresh(), ROOM);

        assertThat(ProcessRecords.read(FUNCTION, untouched, 0).orThrow()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {ROOM + 1, Integer.MAX_VALUE, -1})
    void countLargerThanTheRoomIsNoList(int count) {
        MemorySegment records = ProcessRecords.room(Scratch.fresh(), ROOM);
        ProcessList.of(ROOM).write(records, 32);

        assertThat(ProcessRecords.read(FUNCTION, records, count)).isEqualTo(UNREADABLE);
    }
}
