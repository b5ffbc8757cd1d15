// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.Serial;
import java.util.List;

/** A configuration file that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends AgentException {
    @Serial
    private static final long serialVersionUID = 1L;

    // A file that is no configuration at all can have thousands, and they would push the first ones off the screen.
    private static final int MOST = 50;

    private final transient List<Problem> problems;
    private final int more;

    ConfigException(String file, List<Problem> problems) {
        super(
                BAD_INPUT,
                file + " has " + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
                        + "; correct it and run gpu-agent config check");
        this.problems = problems.stream().limit(MOST).toList();
        this.more = problems.size() - this.problems.size();
    }

    /**
     * What is wrong, from the top of the file down.
     *
     * @return 1 to 50 problems
     */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * How many problems the file has beyond {@link #problems()}.
     *
     * @return 0 when those are all
     */
    public int more() {
        return more;
    }
}
