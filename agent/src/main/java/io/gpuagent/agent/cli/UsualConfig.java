// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.ConfigException;
import io.gpuagent.agent.config.ConfigFile;
import io.gpuagent.agent.config.Problem;
import io.gpuagent.agent.config.Quoted;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration of a command that was not told of a file. */
record UsualConfig(Surroundings surroundings) {
    /** What the usual file says, the defaults where there is none; a bad file stops an agent from starting. */
    AgentConfig strict() throws ConfigException {
        Path file = file();
        // Not "exists": that is false as well for a file in a folder that this user may not look into.
        return Files.notExists(file) ? AgentConfig.DEFAULT : ConfigFile.read(file);
    }

    /** A command that reads goes on without a file it cannot use, and says so. */
    AgentConfig orDefault() {
        try {
            return strict();
        } catch (ConfigException e) {
            surroundings.output().sentence(sentence(e) + "; the defaults are used");
            return AgentConfig.DEFAULT;
        }
    }

    /** Where the whole file is what is wrong, such as one this user may not read, there is only one thing to say. */
    private static String sentence(ConfigException e) {
        Problem first = e.problems().getFirst();
        return first.line() == 0 ? Quoted.printable(first.toString()) : e.sentence();
    }

    Path file() {
        return ConfigFile.usual(surroundings.host());
    }
}
