// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The agent that a command about MIG speaks to: the one at the given socket, or the first of the usual ones. */
final class MigAgent {
    static final String PLANS = "/v1/plans";
    static final String OPERATIONS = "/v1/operations";
    static final String LAYOUT = "/v1/layout";
    static final String MIG = "/v1/mig";

    /** The exit code for what cannot be reached. */
    static final int IMPOSSIBLE = 4;
    /** The exit code of {@code --exit-code} where there is something to do. */
    static final int CHANGES = 3;

    // A reading waits up to 70 s for each GPU; whoever waits is told meanwhile.
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Surroundings surroundings;
    private final AgentSockets sockets;
    private Optional<Path> certain;
    private String layoutFile = "layout";

    MigAgent(Surroundings surroundings, Optional<String> socket) throws AgentException {
        this.surroundings = surroundings;
        this.sockets = new AgentSockets(surroundings);
        this.certain = socket.isPresent() ? Optional.of(Arguments.socket(socket.get())) : Optional.empty();
    }

    static String gpu(String name) {
        return "/v1/gpus/" + encoded(name) + "/mig";
    }

    static String operation(String id) {
        return OPERATIONS + "/" + encoded(id);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The file that problems are about. */
    MigAgent about(String file) {
        layoutFile = file;
        return this;
    }

    JsonValue get(String target) throws AgentException {
        return ask(new HttpAsk("GET", target, Optional.empty(), LONG));
    }

    JsonValue post(String target, JsonObject body) throws AgentException {
        return ask(HttpAsk.post(target, PrettyJson.write(body), LONG));
    }

    JsonValue delete(String target) throws AgentException {
        return ask(new HttpAsk("DELETE", target, Optional.empty(), LONG));
    }

    private JsonValue ask(HttpAsk ask) throws AgentException {
        long patience = surroundings.clock().nanos() + PATIENCE.toNanos();
        Consumer<String> progress = step -> {
            // What is over in a moment needs no story.
            if (surroundings.clock().nanos() - patience >= 0) {
                surroundings.output().sentence(Quoted.printable(step));
            }
        };
        if (certain.isPresent()) {
            try {
                return understood(sockets.ask(certain.get(), ask, progress));
            } catch (SocketFailure e) {
                throw AgentSockets.failed(e);
            }
        }
        List<AgentSockets.Place> usual = sockets.usual(new UsualConfig(surroundings).orDefault());
        for (AgentSockets.Place place : usual) {
            try {
                AgentSockets.Reply reply = sockets.ask(place.socket(), ask, progress);
                certain = Optional.of(place.socket());
                if (place.simulated()) {
                    surroundings
                            .output()
                            .sentence("no agent runs for this machine's GPUs; this is the simulation at "
                                    + place.socket());
                }
                return understood(reply);
            } catch (SocketFailure e) {
                // Nobody there, or only what an agent left behind; one that hangs is news.
                if (e.kind() != SocketFailure.Kind.ABSENT && e.kind() != SocketFailure.Kind.DEAD) {
                    throw AgentSockets.failed(e);
                }
            }
        }
        throw new AgentException(
                AgentException.NO_ANSWER,
                "no agent answers at " + usual.getFirst().socket()
                        + "; start one with gpu-agent serve, or name another with --socket");
    }

    private JsonValue understood(AgentSockets.Reply reply) throws AgentException {
        if (reply.status() / 100 == 2) {
            return reply.json();
        }
        for (JsonValue problem : reply.json().items("problems").orElse(List.of())) {
            surroundings.output().err().println(Quoted.printable(problem(problem)));
        }
        throw new AgentException(exitCode(reply), reply.reason());
    }

    private String problem(JsonValue problem) {
        long line = Math.round(problem.number("line").orElse(0.0));
        long column = Math.round(problem.number("column").orElse(0.0));
        String place = line == 0 ? layoutFile : layoutFile + ":" + line + ":" + column;
        return place + ": " + problem.text("what").orElse("") + "; "
                + problem.text("right").orElse("");
    }

    private static int exitCode(AgentSockets.Reply reply) {
        if (reply.json().text("code").equals(Optional.of("impossible"))) {
            return IMPOSSIBLE;
        }
        return switch (reply.status()) {
            case 400, 404, 413 -> AgentException.BAD_INPUT;
            case 403 -> AgentException.NOT_ALLOWED;
            default -> AgentException.FAILED;
        };
    }
}
