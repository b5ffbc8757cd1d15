// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process on a GPU, with what it has of protected memory ({@code nvmlProcessDetail_v1_t}).
 *
 * @param pid its id, in the caller's pid namespace
 * @param usedGpuMemory bytes of device memory; empty where the driver does not tell
 * @param usedProtectedMemory bytes of memory protected by confidential computing; empty where the driver does not tell
 * @param gpuInstanceId the GPU instance; empty when MIG is off
 * @param computeInstanceId the compute instance; empty when MIG is off
 */
public record ProcessDetail(
        int pid,
        OptionalLong usedGpuMemory,
        OptionalLong usedProtectedMemory,
        OptionalInt gpuInstanceId,
        OptionalInt computeInstanceId) {
    static ProcessDetail of(Struct process) {
        return new ProcessDetail(
                process.s32("pid"),
                process.optional64("usedGpuMemory"),
                process.optional64("usedGpuCcProtectedMemory"),
                process.optional32("gpuInstanceId"),
                process.optional32("computeInstanceId"));
    }

    /** Which processes; {@code NVML_PROCESS_MODE_*} of NVIDIA's Python binding, for nvml.h does not name them. */
    public enum Mode implements CEnum {
        /** With a compute context. */
        COMPUTE(0),
        /** With a graphics context. */
        GRAPHICS(1),
        /** Clients of an MPS server. */
        MPS(2);

        private final int code;

        Mode(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
