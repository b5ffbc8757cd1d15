// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * One of the four totals a GPU keeps of memory errors.
 *
 * @param severity corrected or uncorrected
 * @param scope since when
 */
public record EccCounter(Severity severity, Scope scope) {
    /** What became of the error. */
    public enum Severity {
        /** A single-bit error, corrected. */
        CORRECTED("corrected"),
        /** A double-bit error, not correctable. */
        UNCORRECTED("uncorrected");

        private final String label;

        Severity(String label) {
            this.label = label;
        }

        /**
         * The name as a label value.
         *
         * @return lower case
         */
        public String label() {
            return label;
        }
    }

    /** Since when the counter counts. */
    public enum Scope {
        /** Since the driver was loaded ({@code NVML_VOLATILE_ECC}). */
        DRIVER_LOAD,
        /** Over the life of the board ({@code NVML_AGGREGATE_ECC}). */
        LIFETIME
    }
}
