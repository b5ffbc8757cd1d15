// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.model.UserText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What happened to GPUs. */
@Command(
        name = "events",
        header = "Shows what happened to the GPUs: incidents as they open, change and end.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent events",
            "  gpu-agent events --follow",
            "  gpu-agent events --json | jq -r '.events[].text'",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 5 no agent answers, 6 this user",
            "may not open the socket."
        })
final class EventsCommand implements Callable<Integer> {
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final Surroundings surroundings;

    @Option(names = "--follow", description = "Go on showing what happens, until Ctrl-C.")
    boolean follow;

    @Option(names = "--since", paramLabel = "NUMBER", description = "Only events behind the one of this number.")
    long since;

    @Option(
            names = "--json",
            description = "Write JSON, with --follow a line for each event; docs/api/health.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    EventsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (since < 0) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "--since: " + since + " is no event's number; write 0 or more");
        }
        RunningAgent agent = new RunningAgent(surroundings, socket);
        long last = since;
        JsonValue answer = agent.demand(target(last));
        if (json && !follow) {
            surroundings.output().utf8(PrettyJson.write(answer));
            return 0;
        }
        while (true) {
            for (JsonValue event : answer.items("events").orElse(List.of())) {
                show(event);
            }
            last = answer.number("last").map(Double::longValue).orElse(last);
            if (!follow || surroundings.output().out().checkError()) {
                return 0;
            }
            pause();
            answer = agent.demand(target(last));
        }
    }

    private static String target(long last) {
        return "/v1/events?since=" + last;
    }

    private void pause() throws AgentException {
        try {
            surroundings.clock().sleepUntil(surroundings.clock().nanos() + AGAIN.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AgentException(AgentException.FAILED, "interrupted while following", e);
        }
    }

    /** An event of NVML has no words. */
    private static String said(JsonValue event) {
        return event.text("text")
                .filter(text -> !text.isEmpty())
                .map(text -> ": " + text)
                .orElse("");
    }

    private void show(JsonValue event) {
        if (json) {
            surroundings.output().utf8(PrettyJson.line(event) + "\n");
            return;
        }
        String gpu = event.number("gpu")
                .map(index -> "GPU " + index.intValue())
                .or(() -> event.text("uuid"))
                .orElse("node");
        String line = event.text("at").orElse("-") + "  " + gpu + "  "
                + event.text("kind").orElse("-") + "  "
                + event.text("state").orElse("-") + "  "
                + event.text("code").orElse("-") + said(event) + " [incident "
                + event.text("incident").orElse("-") + "]";
        surroundings.output().text(UserText.printable(line) + "\n");
    }
}
