// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import java.io.Serial;

/** A request that is answered with a problem. */
final class ProblemException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail());
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
