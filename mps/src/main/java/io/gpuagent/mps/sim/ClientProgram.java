// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import java.util.Map;

/**
 * A program that uses CUDA.
 *
 * @param pid its pid
 * @param uid its user
 * @param command its name
 * @param environment its environment, of which the CUDA_MPS_* variables are read
 * @param busy whether it has work on the GPU all the time
 */
public record ClientProgram(long pid, int uid, String command, Map<String, String> environment, boolean busy) {
    /** Takes a copy. */
    public ClientProgram {
        environment = Map.copyOf(environment);
    }

    /**
     * An idle program of root's without MPS variables.
     *
     * @param pid its pid
     * @return the program
     */
    public static ClientProgram of(long pid) {
        return new ClientProgram(pid, 0, "python3", Map.of(), false);
    }

    /**
     * The same of another user.
     *
     * @param other the user
     * @return the program
     */
    public ClientProgram withUid(int other) {
        return new ClientProgram(pid, other, command, environment, busy);
    }

    /**
     * The same with an environment.
     *
     * @param variables the variables
     * @return the program
     */
    public ClientProgram withEnvironment(Map<String, String> variables) {
        return new ClientProgram(pid, uid, command, variables, busy);
    }

    /**
     * The same with work all the time.
     *
     * @return the program
     */
    public ClientProgram withWork() {
        return new ClientProgram(pid, uid, command, environment, true);
    }
}
