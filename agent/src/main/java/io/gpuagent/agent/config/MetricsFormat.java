// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/** Which names the series of the metrics page have. */
public enum MetricsFormat {
    /** The agent's own, {@code gpu_…}. */
    NATIVE,
    /** Those of NVIDIA DCGM, as dcgm-exporter shows them. */
    DCGM;

    /**
     * The format of a name.
     *
     * @param text the name, as the user wrote it
     * @return the format
     * @throws BadValueException when there is no such format
     */
    public static MetricsFormat parse(String text) throws BadValueException {
        return switch (text) {
            case "native" -> NATIVE;
            case "dcgm" -> DCGM;
            default -> throw new BadValueException("there is no format " + Quoted.of(text), "use native or dcgm");
        };
    }
}
