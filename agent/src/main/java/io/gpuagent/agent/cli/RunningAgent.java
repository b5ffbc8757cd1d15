// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The agent that a command speaks to: the one at the given socket, or the first of the usual ones. */
final class RunningAgent {
    static final String DAEMONS = "/v1/mps/daemons";

    private static final int OK = 200;

    private final Surroundings surroundings;
    private final AgentSockets sockets;
    private final Optional<Path> named;
    private Optional<Path> found = Optional.empty();

    RunningAgent(Surroundings surroundings, Optional<String> socket) throws AgentException {
        this.surroundings = surroundings;
        this.sockets = new AgentSockets(surroundings);
        this.named = socket.isPresent() ? Optional.of(Arguments.socket(socket.get())) : Optional.empty();
    }

    static String daemon(String name) {
        return DAEMONS + "/" + encoded(name);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The answer of an agent; empty where none runs at a usual place. */
    Optional<JsonValue> read(String target) throws AgentException {
        return ask(HttpAsk.get(target), said -> {});
    }

    /** The answer of an agent, which must be there. */
    JsonValue demand(String target) throws AgentException {
        return read(target).orElseThrow(this::nobody);
    }

    /** Has a change made; hears of each step. */
    JsonValue change(String target, JsonObject body, Duration deadline, Consumer<String> progress)
            throws AgentException {
        return ask(HttpAsk.post(target, PrettyJson.write(body), deadline), progress)
                .orElseThrow(this::nobody);
    }

    /** Has something ended. */
    JsonValue delete(String target, Duration deadline) throws AgentException {
        return ask(new HttpAsk("DELETE", target, Optional.empty(), deadline), said -> {})
                .orElseThrow(this::nobody);
    }

    private AgentException nobody() {
        return new AgentException(
                AgentException.NO_ANSWER,
                "no agent answers at "
                        + sockets.usual(new UsualConfig(surroundings).orDefault())
                                .getFirst()
                                .socket()
                        + "; start one with gpu-agent serve, or name another with --socket");
    }

    private Optional<JsonValue> ask(HttpAsk ask, Consumer<String> progress) throws AgentException {
        Optional<Path> certain = named.or(() -> found);
        if (certain.isPresent()) {
            try {
                return Optional.of(understood(sockets.ask(certain.get(), ask, progress)));
            } catch (SocketFailure e) {
                throw AgentSockets.failed(e);
            }
        }
        List<AgentSockets.Place> usual = sockets.usual(new UsualConfig(surroundings).orDefault());
        for (AgentSockets.Place place : usual) {
            try {
                AgentSockets.Reply reply = sockets.ask(place.socket(), ask, progress);
                found = Optional.of(place.socket());
                if (place.simulated()) {
                    surroundings
                            .output()
                            .sentence("no agent manages this machine; this is the simulation that runs at "
                                    + place.socket());
                }
                return Optional.of(understood(reply));
            } catch (SocketFailure e) {
                // Nobody there, or only what an agent left behind; one that hangs is news.
                if (e.kind() != SocketFailure.Kind.ABSENT && e.kind() != SocketFailure.Kind.DEAD) {
                    throw AgentSockets.failed(e);
                }
            }
        }
        return Optional.empty();
    }

    private static JsonValue understood(AgentSockets.Reply reply) throws AgentException {
        if (reply.status() == OK) {
            return reply.json();
        }
        throw new AgentException(
                switch (reply.status()) {
                    case 400, 404, 413, 414, 415, 431 -> AgentException.BAD_INPUT;
                    case 403 -> AgentException.NOT_ALLOWED;
                    default -> AgentException.FAILED;
                },
                reply.reason());
    }
}
