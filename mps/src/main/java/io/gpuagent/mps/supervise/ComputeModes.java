// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

/** Who may open contexts on GPUs. A mode is a GPU's and holds for all users. */
public interface ComputeModes {
    /** The modes of nvml.h 13.0 ({@code nvmlComputeMode_t}) that a driver still takes. */
    enum Mode {
        /** Any number of processes. */
        DEFAULT,
        /** Nobody. */
        PROHIBITED,
        /** One process; an MPS server counts as one. */
        EXCLUSIVE_PROCESS
    }

    /** Changes none. */
    ComputeModes UNCHANGEABLE = new ComputeModes() {
        @Override
        public Mode read(String gpu) throws ChangeRefused {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_SUPPORTED, "compute modes cannot be read here; leave exclusive-process out");
        }

        @Override
        public void set(String gpu, Mode mode) throws ChangeRefused {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_ALLOWED,
                    "the compute mode of " + gpu
                            + " cannot be set here; only root may, so leave exclusive-process out");
        }
    };

    /**
     * Reads a GPU's mode.
     *
     * @param gpu its UUID
     * @return the mode
     * @throws ChangeRefused when it cannot be read
     */
    Mode read(String gpu) throws ChangeRefused;

    /**
     * Sets a GPU's mode and reads it back.
     *
     * @param gpu its UUID
     * @param mode the mode
     * @throws ChangeRefused when it is not in force afterwards
     */
    void set(String gpu, Mode mode) throws ChangeRefused;
}
