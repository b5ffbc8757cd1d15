// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** The reasons for a lower clock that the load itself brings about (nvml.h, nvmlClocksEventReason*). */
final class ClockReasons {
    static final long IDLE = 0x1;
    static final long SOFTWARE_POWER_CAP = 0x4;

    private ClockReasons() {}
}
