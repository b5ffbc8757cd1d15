// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.host.FolderOwnership;
import io.gpuagent.host.RuntimeFolders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Where agents usually are, and what they say. */
final class AgentSockets {
    private final Surroundings surroundings;
    private final SocketClient client;

    AgentSockets(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.client = new SocketClient(surroundings.clock());
    }

    /**
     * A place where an agent may be.
     *
     * @param socket its socket
     * @param simulated whether its GPUs are simulated
     */
    record Place(Path socket, boolean simulated) {}

    /**
     * What an agent said.
     *
     * @param status the HTTP status
     * @param json its answer
     */
    record Reply(int status, JsonValue json) {
        /** RFC 9457: an error tells its reason in "detail", or at least in "title". */
        String reason() {
            return Quoted.printable(
                    json.text("detail").or(() -> json.text("title")).orElse("HTTP status " + status));
        }
    }

    List<Place> usual(AgentConfig config) {
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

    Reply ask(Path socket, HttpAsk ask, Consumer<String> progress) throws SocketFailure {
        HttpAnswer answer = client.send(socket, ask, progress);
        try {
            return new Reply(answer.status(), JsonReader.read(answer.body()));
        } catch (JsonShapeException e) {
            throw SocketFailure.garbage(socket, "its answer is no JSON (HTTP status " + answer.status() + ")");
        }
    }

    static AgentException failed(SocketFailure failure) {
        boolean denied = failure.kind() == SocketFailure.Kind.DENIED;
        return new AgentException(
                denied ? AgentException.NOT_ALLOWED : AgentException.NO_ANSWER, failure.sentence(), failure);
    }
}
