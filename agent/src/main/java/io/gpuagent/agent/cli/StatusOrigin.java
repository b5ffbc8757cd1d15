// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds a node's status: from the agent at a named socket, from the agent that runs where agents usually do, or by
 * reading the machine once. What was found where is said on standard error.
 */
final class StatusOrigin {
    private static final String TARGET = "/v1/status";
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    private final Surroundings surroundings;
    private final AgentSockets sockets;

    StatusOrigin(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.sockets = new AgentSockets(surroundings);
    }

    JsonValue of(Path socket) throws AgentException {
        try {
            return ask(socket);
        } catch (SocketFailure e) {
            throw AgentSockets.failed(e);
        }
    }

    JsonValue simulated(String profile) throws AgentException {
        return poll(AgentConfig.DEFAULT, new GpuSource.Simulated(profile, Optional.empty()));
    }

    JsonValue usual(AgentConfig config) throws AgentException {
        String why = "";
        List<AgentSockets.Place> places = sockets.usual(config);
        for (AgentSockets.Place place : places) {
            try {
                JsonValue status = ask(place.socket());
                if (place.simulated()) {
                    say("no agent reads this machine's GPUs; this is the simulation that runs at " + place.socket());
                }
                return status;
            } catch (SocketFailure e) {
                // What became of a simulation does not matter to someone who asks for this machine's GPUs.
                if (e.kind() == SocketFailure.Kind.ABSENT || place.simulated()) {
                    continue;
                }
                if (e.kind() == SocketFailure.Kind.SILENT || e.kind() == SocketFailure.Kind.GARBAGE) {
                    // An agent that hangs is news, and a second reader might hang in the same driver call.
                    throw AgentSockets.failed(e);
                }
                why = why.isEmpty() ? e.sentence() : why;
            }
        }
        say(
                why.isEmpty()
                        ? "no agent answers at " + places.getFirst().socket() + "; read this machine once"
                        : why + "; read this machine once");
        return poll(config, new GpuSource.Driver(config.nvml().library()));
    }

    private JsonValue ask(Path socket) throws SocketFailure, AgentException {
        AgentSockets.Reply reply = sockets.ask(socket, HttpAsk.get(TARGET), said -> {});
        if (reply.status() == OK) {
            return reply.json();
        }
        throw new AgentException(
                reply.status() == FORBIDDEN ? AgentException.NOT_ALLOWED : AgentException.FAILED,
                "the agent at " + socket + " refused: " + reply.reason());
    }

    private JsonValue poll(AgentConfig config, GpuSource source) throws AgentException {
        try {
            return JsonReader.read(StatusJson.write(surroundings.agent().poll(config, source)));
        } catch (JsonShapeException e) {
            throw new IllegalStateException("the agent does not understand its own status", e);
        }
    }

    private void say(String sentence) {
        surroundings.output().sentence(sentence);
    }
}
