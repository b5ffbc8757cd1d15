// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.config.AgentException;

/** Names of the command line that are checked before anybody is asked. */
final class MigNames {
    private MigNames() {}

    static String gpu(String text) throws AgentException {
        Arguments.parse("GPU", text, GpuName::parse);
        return text;
    }
}
