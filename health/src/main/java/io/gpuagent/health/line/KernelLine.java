// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import io.gpuagent.model.PciAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A line of the driver's that says something about a GPU's health. */
public sealed interface KernelLine {
    /**
     * An error report.
     *
     * @param pci the GPU; the driver names no function
     * @param gpuInstance the MIG GPU instance, where the error belongs to one
     * @param computeInstance the compute instance in it
     * @param code which error
     * @param pid the process it belongs to
     * @param process that process's name, as it chose it
     * @param message the rest of the line
     */
    record Xid(
            PciAddress pci,
            OptionalInt gpuInstance,
            OptionalInt computeInstance,
            int code,
            OptionalLong pid,
            Optional<String> process,
            String message)
            implements KernelLine {}

    /**
     * An error report of an NVSwitch. One error is two to four lines with the same number.
     *
     * @param device the switch, such as {@code nvswitch0}
     * @param pci where it sits
     * @param code which error
     * @param word what the driver calls it; empty for the lines of details behind the first
     * @param link which link; empty where none is named
     * @param message the rest of the line
     */
    record Sxid(String device, PciAddress pci, int code, Optional<SxidWord> word, OptionalInt link, String message)
            implements KernelLine {}

    /** What a line of an NVSwitch calls an error. */
    enum SxidWord {
        /** The fabric is not usable until a reset. */
        FATAL,
        /** It goes on. */
        NON_FATAL,
        /** It was corrected. */
        CORRECTABLE
    }

    /**
     * The GPU no longer answers on the bus, said without an Xid.
     *
     * @param pci the GPU
     */
    record OffBus(PciAddress pci) implements KernelLine {}

    /**
     * The driver could not start a GPU.
     *
     * @param pci the GPU; older drivers do not name it
     * @param detail the driver's codes
     */
    record InitFailed(Optional<PciAddress> pci, String detail) implements KernelLine {}

    /**
     * Which GPU sits where; printed before a GPU's first Xid.
     *
     * @param pci where
     * @param uuid which
     */
    record GpuAt(PciAddress pci, String uuid) implements KernelLine {}

    /**
     * From here on the driver leaves lines out.
     *
     * @param pci the GPU
     * @param oneOf it prints one of so many
     */
    record RateLimited(PciAddress pci, int oneOf) implements KernelLine {}

    /**
     * A program came with a library of another version than the loaded module's.
     *
     * @param client the program
     * @param library its version
     * @param module the module's version
     */
    record VersionMismatch(String client, String library, String module) implements KernelLine {}

    /**
     * Somebody wants to take a GPU away that is in use.
     *
     * @param pci the GPU
     */
    record RemovedInUse(PciAddress pci) implements KernelLine {}
}
