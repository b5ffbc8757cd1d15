// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;

/** A scenario file that cannot be played; it names every mistake with its line and column. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ScenarioException(List<String> mistakes) {
        super(String.join("\n", mistakes));
    }

    /**
     * All mistakes.
     *
     * @return one line each, such as {@code trouble.yaml:3:8: …}
     */
    public List<String> mistakes() {
        return String.valueOf(getMessage()).lines().toList();
    }
}
