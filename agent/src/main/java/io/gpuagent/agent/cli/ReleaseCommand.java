// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.DurationText;
import io.gpuagent.model.UserText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The agent lets go of NVML for a while. */
@Command(
        name = "release",
        header = "Has the agent let go of NVML, so that a reset or a driver upgrade can run.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent release -- nvidia-smi --gpu-reset -i 0",
            "  gpu-agent release --for 30m",
            "  gpu-agent release --end",
            "",
            "NVML is shut down within two seconds, and the page and the verdict say",
            "released. With a command, it is taken up again when the command has ended, else",
            "after the time. Who else keeps a GPU is named; nobody is stopped.",
            "",
            "Exit codes: the command's; else 0 done, 1 failed, 2 wrong usage, 5 no agent",
            "answers, 6 not allowed."
        })
final class ReleaseCommand implements Callable<Integer> {
    private static final String PATH = "/v1/release";
    // What the agent grants at most.
    private static final Duration LONGEST = Duration.ofHours(2);
    private static final Duration DEADLINE = Duration.ofSeconds(15);

    private final Surroundings surroundings;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "For how long at most, such as 90s or 30m; 10m if not given.")
    Optional<String> length = Optional.empty();

    @Option(names = "--end", description = "Take NVML up again now.")
    boolean end;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    @Parameters(paramLabel = "CMD", arity = "0..*", description = "A command to run meanwhile, behind --.")
    List<String> command = new ArrayList<>();

    ReleaseCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (end && (length.isPresent() || !command.isEmpty())) {
            throw new AgentException(AgentException.BAD_INPUT, "--end takes NVML up again; give it alone");
        }
        RunningAgent agent = new RunningAgent(surroundings, socket);
        if (end) {
            agent.delete(PATH, DEADLINE);
            surroundings.output().text("NVML is in use again\n");
            return 0;
        }
        JsonValue answer = agent.change(PATH, body(), DEADLINE, said -> {});
        for (JsonValue other : answer.items("others").orElse(List.of())) {
            if (other instanceof JsonText(String sentence)) {
                surroundings.output().sentence(UserText.printable(sentence));
            }
        }
        if (command.isEmpty()) {
            surroundings
                    .output()
                    .text("NVML is let go of until " + answer.text("until").orElse("?")
                            + "; gpu-agent release --end takes it up before\n");
            return 0;
        }
        try {
            return run();
        } finally {
            takeUp(agent);
        }
    }

    /** The exit code is the command's, even where the time was over before it had ended, or the agent has gone. */
    private void takeUp(RunningAgent agent) {
        try {
            agent.delete(PATH, DEADLINE);
        } catch (AgentException e) {
            surroundings.output().sentence(String.valueOf(e.getMessage()));
        }
    }

    private JsonObject body() throws AgentException {
        Duration time = length.isPresent()
                ? Arguments.parse(
                        "--for", length.get(), text -> DurationText.parse(text, Duration.ofSeconds(1), LONGEST))
                : Duration.ofMinutes(10);
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("seconds", new JsonNumber(Long.toString(time.toSeconds())));
        if (!command.isEmpty()) {
            members.put("why", new JsonText(UserText.shortened(String.join(" ", command))));
        }
        return new JsonObject(members);
    }

    /** Runs the user's command as it stands, with this process's terminal and rights. */
    private int run() throws AgentException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "the command " + UserText.quoted(command.getFirst()) + " cannot be started: " + e.getMessage(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AgentException(AgentException.FAILED, "interrupted while the command ran", e);
        }
    }
}
