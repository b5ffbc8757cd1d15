// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.catalogue;

import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A row of the table of Xids.
 *
 * @param kind what kind of error it is
 * @param state how bad it is for the GPU, as long as nobody knows more
 * @param action what helps
 * @param clearsOn what has to be seen before it no longer counts
 * @param asksGpu whether the recovery action that the GPU reports outranks this row
 * @param isOneProgram whether it is one program's fault, or hits one program only
 * @param mayBeContradicted whether the GPU may be probed to see if it is true
 * @param follows the Xid that this one belongs to, where there is one
 * @param engine the kind of engine, where NVML may number it in another way than the kernel's log
 * @param text what it means, in a few words
 */
public record XidMeaning(
        Kind kind,
        HealthState state,
        HealthAction action,
        ClearsOn clearsOn,
        boolean asksGpu,
        boolean isOneProgram,
        boolean mayBeContradicted,
        OptionalInt follows,
        Optional<String> engine,
        String text) {
    /** A code that stands in no table. */
    public static final XidMeaning UNKNOWN = new XidMeaning(
            Kind.UNKNOWN,
            HealthState.WARN,
            HealthAction.NONE,
            ClearsOn.QUIET,
            false,
            false,
            false,
            OptionalInt.empty(),
            Optional.empty(),
            "an error that this version of gpu-agent does not know");

    /** Kinds of errors. */
    public enum Kind {
        /** A program's. */
        A,
        /** The driver's or the firmware's. */
        D,
        /** The memory's. */
        M,
        /** PCIe's. */
        P,
        /** NVLink's, or of links between chips. */
        L,
        /** Of power or heat. */
        T,
        /** Security's. */
        S,
        /** The display's, or of old cards. */
        X,
        /** Information. */
        I,
        /** Not known. */
        UNKNOWN
    }
}
