// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.OptionalInt;

/**
 * How busy a process kept the engines, in percent of time, as the driver gave it: a value over 100 or a pid that does not
 * run is the driver's mistake, and the caller's to judge.
 *
 * @param pid the process
 * @param time when it was sampled, in microseconds since the epoch
 * @param sm streaming multiprocessors
 * @param memory memory reads and writes
 * @param encoder video encoder
 * @param decoder video decoder
 * @param jpeg JPEG engine; empty from drivers that do not tell
 * @param ofa optical flow engine; empty from drivers that do not tell
 */
public record ProcessUtilization(
        int pid, long time, int sm, int memory, int encoder, int decoder, OptionalInt jpeg, OptionalInt ofa) {
    /** From an {@code nvmlProcessUtilizationInfo_v1_t}. */
    static ProcessUtilization ofInfo(Struct info) {
        return of(info, OptionalInt.of(info.s32("jpgUtil")), OptionalInt.of(info.s32("ofaUtil")));
    }

    /** From an {@code nvmlProcessUtilizationSample_t}. */
    static ProcessUtilization ofSample(Struct sample) {
        return of(sample, OptionalInt.empty(), OptionalInt.empty());
    }

    private static ProcessUtilization of(Struct process, OptionalInt jpeg, OptionalInt ofa) {
        return new ProcessUtilization(
                process.s32("pid"),
                process.u64("timeStamp"),
                process.s32("smUtil"),
                process.s32("memUtil"),
                process.s32("encUtil"),
                process.s32("decUtil"),
                jpeg,
                ofa);
    }
}
