// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** NVML_DEVICE_ARCH_*: the generation of a GPU. */
public enum Architecture implements CEnum {
    /** Kepler. */
    KEPLER(2),
    /** Maxwell. */
    MAXWELL(3),
    /** Pascal. */
    PASCAL(4),
    /** Volta. */
    VOLTA(5),
    /** Turing. */
    TURING(6),
    /** Ampere. */
    AMPERE(7),
    /** Ada. */
    ADA(8),
    /** Hopper. */
    HOPPER(9),
    /** Blackwell. */
    BLACKWELL(10);

    private final int code;

    Architecture(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
