// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.PathText;
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
        return asWritten(name, text).toAbsolutePath().normalize();
    }

    /** A path that messages shall show as the user wrote it. */
    static Path asWritten(String name, String text) throws AgentException {
        if (text.isEmpty()) {
            throw new AgentException(AgentException.BAD_INPUT, name + ": the path is empty; name one");
        }
        return parse(name, text, PathText::path);
    }
}
