// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import org.jspecify.annotations.Nullable;

/** Whether there is a driver to ask, and which. */
public sealed interface DriverState {
    /**
     * NVML is initialised.
     *
     * @param driverVersion for example {@code 580.159.04}
     * @param nvmlVersion the library's version
     * @param cudaDriverVersion the highest CUDA version the driver takes, for example {@code 13.0}
     * @param source where the library came from: a path, or the simulation's name
     */
    record Up(String driverVersion, String nvmlVersion, String cudaDriverVersion, String source)
            implements DriverState {}

    /**
     * NVML cannot be used now; the agent goes on trying.
     *
     * @param reason the reason, stable for programs
     * @param explanation the reason and what helps, for a person, in one sentence
     * @param code NVML's return code by name, where NVML was reached
     */
    record Down(Reason reason, String explanation, @Nullable String code) implements DriverState {}

    /** Why NVML cannot be used. */
    enum Reason {
        /** The first attempt is under way. */
        STARTING("starting"),
        /** No NVML library was found. */
        NO_LIBRARY("no_library"),
        /** The library is there, the kernel module is not loaded. */
        NO_DRIVER("no_driver"),
        /** Library and kernel module are of different versions. */
        VERSION_MISMATCH("version_mismatch"),
        /** This user may not open the device files. */
        NO_PERMISSION("no_permission"),
        /** A call of the driver does not return. */
        UNRESPONSIVE("unresponsive"),
        /** The agent has closed NVML while a change is made. */
        RELEASED("released"),
        /** Another failure; the explanation names the code. */
        FAILED("failed");

        private final String label;

        Reason(String label) {
            this.label = label;
        }

        /**
         * The name as a label value and in JSON.
         *
         * @return lower case
         */
        public String label() {
            return label;
        }
    }
}
