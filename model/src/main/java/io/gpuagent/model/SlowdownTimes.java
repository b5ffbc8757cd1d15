// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.OptionalLong;

/**
 * For how long clocks were held down since the driver was loaded, nanoseconds; each empty where the GPU does not tell.
 * Times instead of the bits of the moment, which flicker with each change of the P-state.
 *
 * @param thermalPolicy by the thermal policy; field 75 (NVML_FI_DEV_PERF_POLICY_THERMAL)
 * @param hardwareThermal by the hardware, for heat; field 270
 * @param powerBrake by the power brake signal; field 271
 */
public record SlowdownTimes(OptionalLong thermalPolicy, OptionalLong hardwareThermal, OptionalLong powerBrake) {}
