// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.PathText;
import io.gpuagent.agent.config.Quoted;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Values of the command line. Unlike those of a file, their paths may be relative. */
final class Arguments {
    private Arguments() {}

    interface Parser<T> {
        T parse(String text) throws BadValueException;
    }

    static <T> T parse(String name, String text, Parser<T> parser) throws AgentException {
        try {
            return parser.parse(text);
        } catch (BadValueException e) {
            throw new AgentException(AgentException.BAD_INPUT, name + ": " + e.what() + "; " + e.right(), e);
        }
    }

    static Path socket(String text) throws AgentException {
        Path path = path("--socket", text);
        return parse("--socket", path.toString(), PathText::socket);
    }

    static Path path(String name, String text) throws AgentException {
        try {
            if (!text.isEmpty()) {
                return Path.of(text).toAbsolutePath().normalize();
            }
        } catch (InvalidPathException e) {
            throw new AgentException(AgentException.BAD_INPUT, name + ": " + Quoted.of(text) + " is no path", e);
        }
        throw new AgentException(AgentException.BAD_INPUT, name + ": the path is empty; name one");
    }
}
