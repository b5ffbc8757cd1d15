// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who shares a GPU. */
@Command(
        name = "clients",
        header = "Shows the clients of MPS daemons and the limits they came under.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps clients",
            "  gpu-agent mps clients 0 --json",
            "",
            "SMS is how many multiprocessors a client may use, MEMORY what it holds now.",
            "CAME UNDER is what its server allowed when it connected, which stays with it",
            "until it ends: (old) where new clients get something else. A limit of memory",
            "holds for each process and lowers what it finds free; the total that programs",
            "see stays the whole device's, so those that size themselves by it need a setting",
            "of their own."
        })
final class MpsClientsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", arity = "0..1", description = "Show the clients of this daemon only.")
    Optional<String> target = Optional.empty();

    @Option(names = "--json", description = "Write JSON; docs/api/mps.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MpsClientsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        List<JsonValue> daemons =
                MpsView.of(surroundings, socket, target).items("daemons").orElse(List.of());
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document(daemons)));
        } else {
            output.text(new MpsTables(output.ellipsis()).clients(daemons));
        }
        return 0;
    }

    /** Each client with the id of its daemon. */
    private static JsonObject document(List<JsonValue> daemons) {
        List<JsonValue> clients = new ArrayList<>();
        for (JsonValue daemon : daemons) {
            for (JsonValue client : daemon.items("clients").orElse(List.of())) {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                daemon.at("id").ifPresent(id -> members.put("daemon", id));
                if (client instanceof JsonObject object) {
                    members.putAll(object.members());
                }
                clients.add(new JsonObject(members));
            }
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("version", new JsonNumber("1"));
        members.put("clients", new JsonArray(clients));
        return new JsonObject(members);
    }
}
