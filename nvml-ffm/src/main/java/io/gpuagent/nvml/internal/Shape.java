// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import io.gpuagent.nvml.NvmlFunction;

/**
 * The signatures that NVML's functions share; each returns {@code nvmlReturn_t}. Which overload of {@link Calls} a
 * function needs follows from it; how the call is made depends on the number of parameters alone, see {@link Downcall}.
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

    /** The shape of a function. */
    static Shape of(NvmlFunction function) {
        String parameters = function.parameters();
        return valueOf(parameters.isEmpty() ? VOID.name() : parameters);
    }
}
