// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The signatures that NVML's functions share; each returns {@code nvmlReturn_t}. Linking costs 4 to 7 ms per signature
 * and next to nothing per function, so a shape is linked when it is first needed and the function's address is an
 * argument of the call.
 */
public enum Shape {
    VOID(""),
    P("P"),
    I("I"),
    PP("PP"),
    PI("PI"),
    IP("IP"),
    PL("PL"),
    II("II"),
    PPP("PPP"),
    PPI("PPI"),
    PIP("PIP"),
    PII("PII"),
    IPP("IPP"),
    IPI("IPI"),
    IIP("IIP"),
    PLP("PLP"),
    PIPP("PIPP"),
    PIPI("PIPI"),
    PIIP("PIIP"),
    PIII("PIII"),
    PPPP("PPPP"),
    PPIP("PPIP"),
    PPPL("PPPL"),
    IPPP("IPPP"),
    IIPP("IIPP"),
    IPIP("IPIP"),
    PIIPP("PIIPP"),
    PIIIP("PIIIP"),
    PIPPP("PIPPP"),
    PPPPP("PPPPP"),
    PILPPP("PILPPP");

    private final String parameters;

    @SuppressWarnings("ImmutableEnumChecker") // Set once, on first use.
    private volatile @Nullable MethodHandle handle;

    Shape(String parameters) {
        this.parameters = parameters;
    }

    /**
     * The parameters, a letter each.
     *
     * @return P, I and L
     */
    public String parameters() {
        return parameters;
    }

    /**
     * The handle that calls a function of this shape.
     *
     * @return a handle that takes the function's address first
     */
    MethodHandle handle() {
        MethodHandle linked = handle;
        if (linked == null) {
            // Two threads may both link: the handles are equal in effect, and the second wins.
            linked = link(FunctionDescriptor.of(
                    JAVA_INT, parameters.chars().mapToObj(Shape::layout).toArray(MemoryLayout[]::new)));
            handle = linked;
        }
        return linked;
    }

    @SuppressWarnings("restricted") // The one place of this library that makes a downcall.
    private static MethodHandle link(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(descriptor);
    }

    private static MemoryLayout layout(int kind) {
        return switch (kind) {
            case 'P' -> ADDRESS;
            case 'I' -> JAVA_INT;
            case 'L' -> JAVA_LONG;
            default -> throw new IllegalArgumentException("no such kind of parameter: " + (char) kind);
        };
    }
}
