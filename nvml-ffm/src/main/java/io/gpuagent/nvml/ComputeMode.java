// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** {@code nvmlComputeMode_t}: who may open contexts on a GPU. */
public enum ComputeMode implements CEnum {
    /** Several contexts. */
    DEFAULT(0),
    /** One thread at a time: older drivers tell it; none that knows nvml.h 13.0 takes it. */
    EXCLUSIVE_THREAD(1),
    /** No contexts. */
    PROHIBITED(2),
    /** One process at a time; the MPS server counts as one. */
    EXCLUSIVE_PROCESS(3);

    private final int code;

    ComputeMode(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
