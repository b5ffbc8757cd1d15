// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.List;
import java.util.function.Supplier;

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

    /**
     * Asks version by version, newest first, until one is known to the library. INVALID_ARGUMENT can also mean that an
     * argument is wrong; then the older versions say so, too, and that refusal is the answer rather than the
     * FUNCTION_NOT_FOUND of a version that the library does not have.
     */
    static <T> Answer<T> newest(List<Supplier<Answer<T>>> versions) {
        Answer<T> answer = versions.getFirst().get();
        for (Supplier<Answer<T>> version : versions.subList(1, versions.size())) {
            if (!older(answer)) {
                return answer;
            }
            Answer<T> next = version.get();
            boolean isMissing = next instanceof Answer.Refused<T>(NvmlFunction ignored, NvmlReturn code)
                    && code.equals(NvmlReturn.FUNCTION_NOT_FOUND);
            answer = isMissing ? answer : next;
        }
        return answer;
    }

    /** Whether an answer is a refusal of that kind. */
    static boolean older(Answer<?> answer) {
        return answer instanceof Answer.Refused<?>(NvmlFunction ignored, NvmlReturn code) && older(code.code());
    }
}
