// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The limits on a command line; what is wrong with them is said before anything is sent. */
final class MpsShareOptions {
    @Option(
            names = "--threads",
            paramLabel = "PERCENT",
            description = "Part of the multiprocessors, such as 25%% or 12.5.")
    Optional<String> threads = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Device memory of each process, in binary units, such as 8GiB or 512M.")
    Optional<String> memory = Optional.empty();

    @Option(names = "--priority", paramLabel = "PRIORITY", description = "normal or below-normal.")
    Optional<String> priority = Optional.empty();

    Share share() throws AgentException {
        return new Share(
                parse("--threads", threads, ThreadPercentage::parse),
                parse("--memory", memory, PinnedMemoryLimit::parse),
                parse("--priority", priority, ClientPriority::parse));
    }

    private static <T> Optional<T> parse(String name, Optional<String> text, Function<String, T> parser)
            throws AgentException {
        try {
            return text.map(parser);
        } catch (IllegalArgumentException e) {
            throw new AgentException(AgentException.BAD_INPUT, name + ": " + e.getMessage(), e);
        }
    }

    /** As the API takes it; parts that were not given are left out. */
    static JsonObject json(Share share) {
        Map<String, JsonValue> parts = new LinkedHashMap<>();
        share.threads().ifPresent(part -> parts.put("threads", new JsonText(part.toString())));
        share.memory().ifPresent(part -> parts.put("memory", new JsonText(part.toString())));
        share.priority().ifPresent(part -> parts.put("priority", new JsonText(part.label())));
        return new JsonObject(parts);
    }
}
