// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** NVML refused a call that its caller could not do without. */
public final class NvmlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final NvmlFunction function;
    private final int code;

    /**
     * A refusal.
     *
     * @param function what was called
     * @param code what it returned
     */
    public NvmlException(NvmlFunction function, NvmlReturn code) {
        super(function + " returned " + code.cName());
        this.function = function;
        this.code = code.code();
    }

    /**
     * What was called.
     *
     * @return the function
     */
    public NvmlFunction function() {
        return function;
    }

    /**
     * What it returned.
     *
     * @return the code
     */
    public NvmlReturn code() {
        return new NvmlReturn(code);
    }
}
