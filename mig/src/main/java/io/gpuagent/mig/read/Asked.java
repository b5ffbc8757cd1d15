// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.MigException;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.NvmlReturn;

/** Answers of NVML that cannot be done without. */
final class Asked {
    private Asked() {}

    static <T> T value(Answer<T> answer, int gpu) throws MigException {
        return switch (answer) {
            case Answer.Value<T> value -> value.of();
            case Answer.Refused<T> refused ->
                throw new MigException(
                        MigException.Cause.REFUSED,
                        refused.code().code(),
                        refused.function() + " of GPU " + gpu + " returned " + refused.code());
            case Answer.Unavailable<T> none ->
                throw new MigException(
                        MigException.Cause.REFUSED,
                        NvmlReturn.NOT_SUPPORTED.code(),
                        none.function() + " of GPU " + gpu + " gave no value");
        };
    }

    /** Whether something is not there any more: the answer to a handle that has died. */
    static boolean isGone(int code) {
        return code == NvmlReturn.NOT_FOUND.code() || code == NvmlReturn.INVALID_ARGUMENT.code();
    }
}
