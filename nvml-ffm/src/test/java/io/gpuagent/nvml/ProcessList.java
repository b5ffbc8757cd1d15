// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Processes as a driver writes them, in records of 16, 24 or 32 bytes. */
final class ProcessList {
    static final int NO_INSTANCE = -1;
    static final long GIB = 1L << 30;

    private final List<Entry> processes = new ArrayList<>();

    private record Entry(int pid, long memory, int gpuInstance, int computeInstance) {}

    /** Three ordinary processes of a GPU without MIG. */
    static ProcessList ofThree() {
        return new ProcessList().with(1_234, 2 * GIB).with(56_789, 600L << 20).with(4_194_303, 80 * GIB);
    }

    static ProcessList of(int count) {
        ProcessList list = new ProcessList();
        for (int i = 0; i < count; i++) {
            list.with(1_000 + i, (i + 1) * GIB);
        }
        return list;
    }

    ProcessList with(int pid, long memory) {
        return with(pid, memory, NO_INSTANCE, NO_INSTANCE);
    }

    ProcessList with(int pid, long memory, int gpuInstance, int computeInstance) {
        processes.add(new Entry(pid, memory, gpuInstance, computeInstance));
        return this;
    }

    int size() {
        return processes.size();
    }

    /** Writes as nvml.h lays the records out: v1 has 16 bytes, v2 has 24, and that of drivers 535.43 to 535.86 has 32. */
    void write(MemorySegment records, int stride) {
        for (int i = 0; i < processes.size(); i++) {
            Entry process = processes.get(i);
            MemorySegment record = records.asSlice((long) i * stride, stride).fill((byte) 0);
            record.set(JAVA_INT, 0, process.pid());
            record.set(JAVA_LONG, 8, process.memory());
            if (stride >= 24) {
                record.set(JAVA_INT, 16, process.gpuInstance());
                record.set(JAVA_INT, 20, process.computeInstance());
            }
        }
    }

    /** What a reader should make of records of this size. */
    List<ProcessInfo> expected(int stride) {
        return processes.stream()
                .map(process -> new ProcessInfo(
                        process.pid(),
                        process.memory() == -1 ? OptionalLong.empty() : OptionalLong.of(process.memory()),
                        instance(process.gpuInstance(), stride),
                        instance(process.computeInstance(), stride)))
                .toList();
    }

    private static OptionalInt instance(int id, int stride) {
        return id == NO_INSTANCE || stride == 16 ? OptionalInt.empty() : OptionalInt.of(id);
    }
}
