// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.host.FolderOwnership;
import io.gpuagent.host.RuntimeFolders;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private final SocketClient client;

    StatusOrigin(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.client = new SocketClient(surroundings.clock());
    }

    JsonValue of(Path socket) throws AgentException {
        try {
            return ask(socket);
        } catch (SocketFailure e) {
            throw failed(e);
        }
    }

    JsonValue simulated(String profile) throws AgentException {
        return poll(AgentConfig.DEFAULT, new GpuSource.Simulated(profile, Optional.empty()));
    }

    JsonValue usual(AgentConfig config) throws AgentException {
        String why = "";
        List<Place> places = places(config);
        for (Place place : places) {
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
                    throw failed(e);
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

    private record Place(Path socket, boolean simulated) {}

    private List<Place> places(AgentConfig config) {
        List<Place> places = new ArrayList<>();
        config.api().socket().ifPresent(socket -> places.add(new Place(socket, false)));
        FolderOwnership ownership = new FolderOwnership(surroundings.host());
        for (RuntimeFolders.Chosen folders : new RuntimeFolders(surroundings.host()).lookups()) {
            // A folder that does not exist is not trusted either, and nothing is lost by that.
            if (folders.system() || ownership.trusted(folders)) {
                places.add(new Place(folders.socket(), folders.simulated()));
            }
        }
        return places;
    }

    private JsonValue ask(Path socket) throws SocketFailure, AgentException {
        HttpAnswer answer = client.get(socket, TARGET);
        JsonValue json;
        try {
            json = JsonReader.read(answer.body());
        } catch (JsonShapeException e) {
            throw SocketFailure.garbage(socket, "its answer is no JSON (HTTP status " + answer.status() + ")");
        }
        if (answer.status() == OK) {
            return json;
        }
        // RFC 9457: an error tells its reason in "detail", or at least in "title".
        String reason = json.text("detail").or(() -> json.text("title")).orElse("HTTP status " + answer.status());
        throw new AgentException(
                answer.status() == FORBIDDEN ? AgentException.NOT_ALLOWED : AgentException.FAILED,
                "the agent at " + socket + " refused: " + Quoted.printable(reason));
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

    private static AgentException failed(SocketFailure failure) {
        boolean denied = failure.kind() == SocketFailure.Kind.DENIED;
        return new AgentException(
                denied ? AgentException.NOT_ALLOWED : AgentException.NO_ANSWER, failure.sentence(), failure);
    }
}
