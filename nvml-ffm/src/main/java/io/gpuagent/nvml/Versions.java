// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/** When to try the older version of a function or struct. */
final class Versions {
    private Versions() {}

    /**
     * Whether a newer version's answer means that the library does not know it. Drivers differ in how they say so.
     */
    static boolean older(int code) {
        return code == NvmlReturn.FUNCTION_NOT_FOUND.code()
                || code == NvmlReturn.ARGUMENT_VERSION_MISMATCH.code()
                || code == NvmlReturn.INVALID_ARGUMENT.code();
    }

    /** Whether an answer is a refusal of that kind. */
    static boolean older(Answer<?> answer) {
        return answer instanceof Answer.Refused<?>(NvmlFunction ignored, NvmlReturn code) && older(code.code());
    }
}
