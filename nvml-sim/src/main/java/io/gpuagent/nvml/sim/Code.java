// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** The {@code nvmlReturn_t} values that the simulator gives by itself (nvml.h, nvmlReturn_enum). */
final class Code {
    static final int SUCCESS = 0;
    static final int UNINITIALIZED = 1;
    static final int INVALID_ARGUMENT = 2;
    static final int NOT_SUPPORTED = 3;
    static final int NO_PERMISSION = 4;
    static final int NOT_FOUND = 6;
    static final int INSUFFICIENT_SIZE = 7;
    static final int DRIVER_NOT_LOADED = 9;
    static final int TIMEOUT = 10;
    static final int GPU_IS_LOST = 15;
    static final int LIB_RM_VERSION_MISMATCH = 18;
    static final int IN_USE = 19;
    static final int INSUFFICIENT_RESOURCES = 23;
    static final int ARGUMENT_VERSION_MISMATCH = 25;
    static final int UNKNOWN = 999;

    private Code() {}

    /**
     * What {@code nvmlErrorString} says of a code.
     *
     * @param code an {@code nvmlReturn_t}
     * @return its text
     */
    static String text(int code) {
        return switch (code) {
            case 0 -> "Success";
            case 1 -> "Uninitialized";
            case 2 -> "Invalid Argument";
            case 3 -> "Not Supported";
            case 4 -> "Insufficient Permissions";
            case 5 -> "Already Initialized";
            case 6 -> "Not Found";
            case 7 -> "Insufficient Size";
            case 8 -> "Insufficient External Power";
            case 9 -> "Driver Not Loaded";
            case 10 -> "Timeout";
            case 11 -> "Interrupt Request Issue";
            case 12 -> "NVML Shared Library Not Found";
            case 13 -> "Function Not Found";
            case 14 -> "Corrupted infoROM";
            case 15 -> "GPU is lost";
            case 16 -> "GPU requires reset";
            case 17 -> "GPU access blocked by the operating system";
            case 18 -> "Driver/library version mismatch";
            case 19 -> "In use by another client";
            case 20 -> "Insufficient Memory";
            case 21 -> "No data";
            case 22 -> "The requested vgpu operation is not available on target device, because ECC is enabled";
            case 23 -> "Insufficient Resources";
            case 24 -> "Frequency not supported";
            case 25 -> "Argument version mismatch";
            case 26 -> "Deprecated";
            case 27 -> "System is not in ready state";
            case 28 -> "No GPUs were found";
            case 29 -> "Invalid state";
            default -> "Unknown Error";
        };
    }
}
