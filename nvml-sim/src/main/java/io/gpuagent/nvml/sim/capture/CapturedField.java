// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

/**
 * What nvmlDeviceGetFieldValues answered for one field.
 *
 * @param id its id (nvml.h, NVML_FI_*)
 * @param scope what of the GPU it was asked about, such as a link
 * @param type its {@code nvmlValueType_t}
 * @param code its own {@code nvmlReturn_t}
 * @param value a {@link Long} or a {@link Double}
 * @param isTimed whether the driver put a time stamp on it
 * @param latencyMicros what the driver says the reading took
 * @param firstMicros how long the first call took, in microseconds
 * @param micros how long the shortest repeated call took, in microseconds
 */
record CapturedField(
        int id,
        int scope,
        int type,
        int code,
        Number value,
        boolean isTimed,
        long latencyMicros,
        double firstMicros,
        double micros) {}
