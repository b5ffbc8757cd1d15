// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent;

import io.gpuagent.agent.cli.Cli;
import io.gpuagent.agent.cli.MpsUnitStart;

/** The main class of the command {@code gpu-agent}. */
public final class Main {
    private Main() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(MpsUnitStart.isAsked(arguments) ? MpsUnitStart.run() : Cli.run(arguments));
    }
}
