// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.Map;

/**
 * NVML's return code {@code nvmlReturn_t}. An open set: a code newer than this binding keeps its number.
 *
 * @param code the number
 */
public record NvmlReturn(int code) {
    /** The operation was successful. */
    public static final NvmlReturn SUCCESS = new NvmlReturn(0);
    /** NVML was not initialised, or was shut down since. */
    public static final NvmlReturn UNINITIALIZED = new NvmlReturn(1);
    /** A supplied argument is invalid. */
    public static final NvmlReturn INVALID_ARGUMENT = new NvmlReturn(2);
    /** The device does not have it. */
    public static final NvmlReturn NOT_SUPPORTED = new NvmlReturn(3);
    /** This user may not. */
    public static final NvmlReturn NO_PERMISSION = new NvmlReturn(4);
    /** The buffer was too small. */
    public static final NvmlReturn INSUFFICIENT_SIZE = new NvmlReturn(7);
    /** The kernel module is not loaded. */
    public static final NvmlReturn DRIVER_NOT_LOADED = new NvmlReturn(9);
    /** The time was up. */
    public static final NvmlReturn TIMEOUT = new NvmlReturn(10);
    /** The library has no such function. */
    public static final NvmlReturn FUNCTION_NOT_FOUND = new NvmlReturn(13);
    /** The InfoROM is corrupted. */
    public static final NvmlReturn CORRUPTED_INFOROM = new NvmlReturn(14);
    /** The GPU has fallen off the bus. */
    public static final NvmlReturn GPU_IS_LOST = new NvmlReturn(15);
    /** The GPU requires a reset. */
    public static final NvmlReturn RESET_REQUIRED = new NvmlReturn(16);
    /** The control device is blocked by the operating system or a cgroup. */
    public static final NvmlReturn OPERATING_SYSTEM = new NvmlReturn(17);
    /** Library and kernel module have different versions. */
    public static final NvmlReturn LIB_RM_VERSION_MISMATCH = new NvmlReturn(18);
    /** The struct's version is not known to the library. */
    public static final NvmlReturn ARGUMENT_VERSION_MISMATCH = new NvmlReturn(25);
    /** An internal driver error occurred. */
    public static final NvmlReturn UNKNOWN = new NvmlReturn(999);

    // nvml.h 13.0, enum nvmlReturn_enum.
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(0, "NVML_SUCCESS"),
            Map.entry(1, "NVML_ERROR_UNINITIALIZED"),
            Map.entry(2, "NVML_ERROR_INVALID_ARGUMENT"),
            Map.entry(3, "NVML_ERROR_NOT_SUPPORTED"),
            Map.entry(4, "NVML_ERROR_NO_PERMISSION"),
            Map.entry(5, "NVML_ERROR_ALREADY_INITIALIZED"),
            Map.entry(6, "NVML_ERROR_NOT_FOUND"),
            Map.entry(7, "NVML_ERROR_INSUFFICIENT_SIZE"),
            Map.entry(8, "NVML_ERROR_INSUFFICIENT_POWER"),
            Map.entry(9, "NVML_ERROR_DRIVER_NOT_LOADED"),
            Map.entry(10, "NVML_ERROR_TIMEOUT"),
            Map.entry(11, "NVML_ERROR_IRQ_ISSUE"),
            Map.entry(12, "NVML_ERROR_LIBRARY_NOT_FOUND"),
            Map.entry(13, "NVML_ERROR_FUNCTION_NOT_FOUND"),
            Map.entry(14, "NVML_ERROR_CORRUPTED_INFOROM"),
            Map.entry(15, "NVML_ERROR_GPU_IS_LOST"),
            Map.entry(16, "NVML_ERROR_RESET_REQUIRED"),
            Map.entry(17, "NVML_ERROR_OPERATING_SYSTEM"),
            Map.entry(18, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"),
            Map.entry(19, "NVML_ERROR_IN_USE"),
            Map.entry(20, "NVML_ERROR_MEMORY"),
            Map.entry(21, "NVML_ERROR_NO_DATA"),
            Map.entry(22, "NVML_ERROR_VGPU_ECC_NOT_SUPPORTED"),
            Map.entry(23, "NVML_ERROR_INSUFFICIENT_RESOURCES"),
            Map.entry(24, "NVML_ERROR_FREQ_NOT_SUPPORTED"),
            Map.entry(25, "NVML_ERROR_ARGUMENT_VERSION_MISMATCH"),
            Map.entry(26, "NVML_ERROR_DEPRECATED"),
            Map.entry(27, "NVML_ERROR_NOT_READY"),
            Map.entry(28, "NVML_ERROR_GPU_NOT_FOUND"),
            Map.entry(29, "NVML_ERROR_INVALID_STATE"),
            Map.entry(30, "NVML_ERROR_RESET_TYPE_NOT_SUPPORTED"),
            Map.entry(999, "NVML_ERROR_UNKNOWN"));

    /**
     * The code's name in nvml.h.
     *
     * @return for example {@code NVML_ERROR_NOT_SUPPORTED}; {@code NVML_ERROR_<number>} for a code newer than nvml.h 13.0
     */
    public String cName() {
        return NAMES.getOrDefault(code, "NVML_ERROR_" + code);
    }

    @Override
    public String toString() {
        return cName();
    }
}
