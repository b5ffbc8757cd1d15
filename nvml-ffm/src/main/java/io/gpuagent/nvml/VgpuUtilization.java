// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Optional;

/**
 * How busy a vGPU, or a process in one, kept a GPU, in percent of the driver's last sample period.
 *
 * @param vgpu the {@link Vgpu#id()}
 * @param process the process; empty for the vGPU as a whole
 * @param timestamp when it was measured, microseconds since the epoch on the host's clock
 * @param sm compute and 3D
 * @param memory memory
 * @param encoder video encoders
 * @param decoder video decoders
 * @param jpeg JPEG engines
 * @param ofa optical flow engines
 */
public record VgpuUtilization(
        int vgpu,
        Optional<Guest> process,
        long timestamp,
        long sm,
        long memory,
        long encoder,
        long decoder,
        long jpeg,
        long ofa) {
    // nvmlValue_t is a union whose unsigned int lies in the first four bytes.
    static VgpuUtilization ofVgpu(Struct s) {
        return of(s, Optional.empty());
    }

    static VgpuUtilization ofProcess(Struct s) {
        return of(s, Optional.of(new Guest(s.s32("pid"), s.text("processName"))));
    }

    private static VgpuUtilization of(Struct s, Optional<Guest> process) {
        return new VgpuUtilization(
                s.s32("vgpuInstance"),
                process,
                s.u64("timeStamp"),
                s.u32("smUtil"),
                s.u32("memUtil"),
                s.u32("encUtil"),
                s.u32("decUtil"),
                s.u32("jpgUtil"),
                s.u32("ofaUtil"));
    }

    /**
     * A process in a virtual machine.
     *
     * @param pid its id there
     * @param name its name, up to 63 characters
     */
    public record Guest(int pid, String name) {}
}
