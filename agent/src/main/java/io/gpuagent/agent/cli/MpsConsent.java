// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Makes a change: says whom it reaches, asks, has it made, and says what is in force. */
final class MpsConsent {
    private static final String NOTHING = "interrupted; nothing was changed";
    private static final String GOES_ON =
            "interrupted; the agent goes on with what was asked for, and gpu-agent mps list shows how far it is";

    @Option(names = "--dry-run", description = "Say whom it would reach, and change nothing.")
    boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    boolean yes;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    /** Whether it was made, or would be. */
    int make(Surroundings surroundings, String target, JsonObject body, Duration deadline) throws AgentException {
        RunningAgent agent = new RunningAgent(surroundings, socket);
        Output output = surroundings.output();
        JsonValue plan =
                watched(surroundings, agent, target, body.with("dry_run", new JsonTruth(true)), deadline, NOTHING);
        output.text(new MpsTables(output.ellipsis()).effect(plan));
        output.out().flush();
        if (dryRun) {
            return 0;
        }
        if (!yes && !agreed(surroundings)) {
            output.sentence("nothing was changed");
            return AgentException.FAILED;
        }
        JsonValue done = watched(surroundings, agent, target, body, deadline, GOES_ON);
        output.text(PlainTable.wrapped("Done: " + word(done, "before") + " -> " + word(done, "after"), ""));
        for (JsonValue line : done.items("lines").orElse(List.of())) {
            if (line instanceof JsonText(String text)) {
                output.text(PlainTable.wrapped(Quoted.printable(text), "  "));
            }
        }
        return 0;
    }

    private static JsonValue watched(
            Surroundings surroundings,
            RunningAgent agent,
            String target,
            JsonObject body,
            Duration deadline,
            String whenInterrupted)
            throws AgentException {
        try (ProgressLine line = new ProgressLine(surroundings.output(), surroundings.clock());
                LastWord _ = new LastWord(line::interrupted, surroundings.output(), whenInterrupted)) {
            return agent.change(target, body, deadline, line::step);
        }
    }

    private static boolean agreed(Surroundings surroundings) throws AgentException {
        try (LastWord _ = new LastWord(surroundings.output().err()::println, surroundings.output(), NOTHING)) {
            return surroundings
                    .prompt()
                    .confirm("Go on?")
                    .orElseThrow(() -> new AgentException(
                            AgentException.BAD_INPUT,
                            "there is no terminal to ask at, so nothing was changed; add --yes to go on without a"
                                    + " question"));
        }
    }

    private static String word(JsonValue done, String member) {
        return done.text(member).map(Quoted::printable).orElse("-");
    }
}
