// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.Serial;
import java.util.List;

/** A configuration file that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends AgentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    ConfigException(String file, List<Problem> problems) {
        super(
                BAD_INPUT,
                file + " has " + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
                        + "; correct it and run gpu-agent config check");
        this.problems = List.copyOf(problems);
    }

    /**
     * All that is wrong, from the top of the file down.
     *
     * @return at least one
     */
    public List<Problem> problems() {
        return problems;
    }
}
