// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.OptionalLong;

/**
 * Where the addresses of NVML's C functions come from: the driver's library, or a simulation of it. The binding takes
 * the same path over both.
 */
@FunctionalInterface
public interface SymbolSource {
    /**
     * Looks a function up.
     *
     * @param symbol its C name, versioned as exported, such as {@code nvmlDeviceGetCount_v2}
     * @return its address, or empty where the library does not export it
     */
    OptionalLong address(String symbol);
}
