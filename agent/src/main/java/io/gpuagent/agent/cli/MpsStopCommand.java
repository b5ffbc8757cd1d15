// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A daemon ends. */
@Command(
        name = "stop",
        header = "Stops an MPS daemon.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps stop 0",
            "  gpu-agent mps stop 0 --drain --within 600",
            "",
            "With clients it is refused, unless --drain waits for them to end or --force",
            "ends them. A compute mode that was set for it is set back. Ctrl-C ends this",
            "command and not the stop: gpu-agent mps resume calls a drain off.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MpsStopCommand implements Callable<Integer> {
    private static final int LONGEST_SECONDS = 900;
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    // The port adds a minute to what the clients get, and answering takes a little, too.
    private static final Duration MORE = Duration.ofMinutes(2);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", description = "The daemon, or a device that it serves.")
    String target = "";

    @Option(names = "--drain", description = "Wait until the clients have ended by themselves.")
    boolean drain;

    @Option(names = "--force", description = "End the clients.")
    boolean force;

    @Option(
            names = "--within",
            paramLabel = "SECONDS",
            description = "How long clients may take, 1 to 900; mps.drain-timeout of the agent otherwise.")
    Optional<String> within = Optional.empty();

    @Mixin
    MpsConsent consent = new MpsConsent();

    MpsStopCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (drain && force) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "--drain waits for clients and --force ends them; give one of them");
        }
        if (within.isPresent() && !drain && !force) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "--within is how long clients may take; give it with --drain or --force, or leave it out");
        }
        Optional<Integer> seconds = seconds();
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("mode", new JsonText(drain ? "drain" : force ? "force" : "refuse"));
        seconds.ifPresent(most -> members.put("deadline_seconds", new JsonNumber(Integer.toString(most))));
        return consent.make(
                surroundings,
                RunningAgent.daemon(MpsNames.target(target)) + "/stop",
                new JsonObject(members),
                MORE.plusSeconds(seconds.orElse(LONGEST_SECONDS)));
    }

    private Optional<Integer> seconds() throws AgentException {
        if (within.isEmpty()) {
            return Optional.empty();
        }
        if (SECONDS.matcher(within.get()).matches()) {
            int seconds = Integer.parseInt(within.get());
            if (seconds >= 1 && seconds <= LONGEST_SECONDS) {
                return Optional.of(seconds);
            }
        }
        throw new AgentException(
                AgentException.BAD_INPUT,
                "--within: " + Quoted.of(within.get()) + " is no time that clients can be given; write 1 to "
                        + LONGEST_SECONDS + ", in seconds");
    }
}
