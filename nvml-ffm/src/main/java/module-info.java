// SPDX-License-Identifier: Apache-2.0
/** NVML, the NVIDIA Management Library, for Java: through the FFM API, with nothing else in between. */
module io.gpuagent.nvml {
    requires static transitive org.jspecify;

    exports io.gpuagent.nvml;
}
