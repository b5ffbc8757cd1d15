// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import java.util.Map;
import java.util.OptionalInt;

/**
 * A question and its answer.
 *
 * @param in what was asked; see {@link CaptureEntry}
 * @param code its {@code nvmlReturn_t}; empty where the call did not return
 * @param out what was answered: by parameter, or by {@code array[length]}
 * @param firstMicros how long the first call took, in microseconds
 * @param micros how long the shortest repeated call took, in microseconds
 */
record CapturedCall(
        Map<String, Object> in, OptionalInt code, Map<String, Object> out, double firstMicros, double micros) {
    static CapturedCall once(Map<String, Object> in, NativeFunctions.Returned returned, Map<String, Object> out) {
        double micros = returned.nanos() / 1_000.0;
        return new CapturedCall(in, OptionalInt.of(returned.code()), out, micros, micros);
    }

    static CapturedCall hung(Map<String, Object> in) {
        return new CapturedCall(in, OptionalInt.empty(), Map.of(), 0, 0);
    }
}
