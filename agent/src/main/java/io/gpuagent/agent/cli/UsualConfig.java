// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.ConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration of a command that was not told of a file. */
record UsualConfig(Surroundings surroundings) {
    /** What the usual file says, the defaults where there is none; a bad file stops an agent from starting. */
    AgentConfig strict() throws ConfigException {
        Path file = file();
        return Files.exists(file) ? ConfigFile.read(file) : AgentConfig.DEFAULT;
    }

    /** A command that reads goes on without a file it cannot use, and says so. */
    AgentConfig orDefault() {
        try {
            return strict();
        } catch (AgentException e) {
            surroundings.output().sentence(e.sentence() + "; the defaults are used");
            return AgentConfig.DEFAULT;
        }
    }

    Path file() {
        return ConfigFile.usual(surroundings.host());
    }
}
