// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads the array that a process list function filled. The size of its records cannot be told from the function's name:
 * nvmlDeviceGet*RunningProcesses_v3 wrote 32 bytes a record in drivers 535.43 to 535.86 and 24 before and after, and v1
 * writes 16. So the array has room for the largest, is filled with a pattern first, and the size is the one under which
 * all records make sense and all bytes behind them still hold the pattern.
 */
final class ProcessRecords {
    private static final byte PATTERN = (byte) 0xA5;
    private static final int LARGEST = 32;
    /** GPU and compute instance ids are small; no card has more than 8 slices. */
    private static final int LARGEST_INSTANCE = 255;

    private static final long V2 = Layouts.nvmlProcessInfo_v2_t.byteSize();
    private static final long V1 = Layouts.nvmlProcessInfo_v1_t.byteSize();
    private static final long USED_MEMORY = Layouts.offset(Layouts.nvmlProcessInfo_v2_t, "usedGpuMemory");
    private static final long GPU_INSTANCE = Layouts.offset(Layouts.nvmlProcessInfo_v2_t, "gpuInstanceId");
    private static final long COMPUTE_INSTANCE = Layouts.offset(Layouts.nvmlProcessInfo_v2_t, "computeInstanceId");

    private ProcessRecords() {}

    static MemorySegment room(Scratch scratch, int count) {
        return scratch.take((long) count * LARGEST).fill(PATTERN);
    }

    static Answer<List<ProcessInfo>> read(NvmlFunction function, MemorySegment records, int count) {
        if (count == 0) {
            return new Answer.Value<>(List.of());
        }
        if (count > 0 && (long) count * LARGEST <= records.byteSize()) {
            for (long stride : new long[] {V2, LARGEST, V1}) {
                if (untouched(records, count * stride) && plausible(records, count, stride)) {
                    return new Answer.Value<>(list(records, count, stride));
                }
            }
        }
        // The library filled something that no known record size explains: better no list than invented pids.
        return new Answer.Unavailable<>(function);
    }

    private static boolean untouched(MemorySegment records, long from) {
        // All bytes are the pattern where the first is and each is like the one before it.
        long end = records.byteSize();
        return from == end
                || (records.get(JAVA_BYTE, from) == PATTERN
                        && MemorySegment.mismatch(records, from, end - 1, records, from + 1, end) < 0);
    }

    private static boolean plausible(MemorySegment records, int count, long stride) {
        for (int i = 0; i < count; i++) {
            int pid = records.get(JAVA_INT, i * stride);
            if (pid <= 0) {
                return false;
            }
            if (stride != V1
                    && !(instance(records.get(JAVA_INT, i * stride + GPU_INSTANCE))
                            && instance(records.get(JAVA_INT, i * stride + COMPUTE_INSTANCE)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean instance(int id) {
        return id == Queries.NOT_AVAILABLE_32 || (id >= 0 && id <= LARGEST_INSTANCE);
    }

    private static List<ProcessInfo> list(MemorySegment records, int count, long stride) {
        List<ProcessInfo> processes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long record = i * stride;
            long used = records.get(JAVA_LONG, record + USED_MEMORY);
            processes.add(new ProcessInfo(
                    records.get(JAVA_INT, record),
                    used == Queries.NOT_AVAILABLE_64 ? OptionalLong.empty() : OptionalLong.of(used),
                    stride == V1 ? OptionalInt.empty() : optional(records.get(JAVA_INT, record + GPU_INSTANCE)),
                    stride == V1 ? OptionalInt.empty() : optional(records.get(JAVA_INT, record + COMPUTE_INSTANCE))));
        }
        return processes;
    }

    private static OptionalInt optional(int id) {
        return id == Queries.NOT_AVAILABLE_32 ? OptionalInt.empty() : OptionalInt.of(id);
    }
}
