// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.Problem;
import java.io.Serial;
import java.util.List;

/** A layout that cannot be meant, with everything that is wrong with it. */
public final class LayoutException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    // A file that is no layout at all can have thousands, and they would push the first ones off the screen.
    private static final int MOST = 50;

    private final transient List<Problem> problems;

    /**
     * A bad layout.
     *
     * @param file the file as the user named it
     * @param problems what is wrong, at least one, from the top of the file down
     */
    public LayoutException(String file, List<Problem> problems) {
        super(file + " has " + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
                + "; nothing was touched");
        this.problems = problems.stream().limit(MOST).toList();
    }

    /**
     * What is wrong.
     *
     * @return 1 to 50 problems, from the top of the file down
     */
    public List<Problem> problems() {
        return problems;
    }
}
