// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.MpsJson;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.daemon.OneMpsLook;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** MPS as an agent sees it, or as one look at this machine does where none runs. */
final class MpsView {
    private MpsView() {}

    /**
     * Finds it.
     *
     * @param surroundings the machine
     * @param socket a given socket, beside which none is asked
     * @param target a daemon or device; empty for all
     * @return the document, with the daemons asked for
     */
    static JsonObject of(Surroundings surroundings, Optional<String> socket, Optional<String> target)
            throws AgentException {
        RunningAgent agent = new RunningAgent(surroundings, socket);
        Optional<JsonValue> all = agent.read(RunningAgent.DAEMONS);
        if (all.isEmpty()) {
            return narrowed(onceLooked(surroundings), target);
        }
        if (!(all.get() instanceof JsonObject document)) {
            throw new AgentException(
                    AgentException.NO_ANSWER, "the agent's answer is no view of MPS; use the gpu-agent of its version");
        }
        if (target.isEmpty()) {
            return document;
        }
        JsonValue one = agent.demand(RunningAgent.daemon(MpsNames.target(target.get())));
        return only(document, List.of(one));
    }

    private static JsonObject onceLooked(Surroundings surroundings) throws AgentException {
        surroundings.output().sentence("no agent answers; what its records and /proc tell was read once");
        OneMpsLook.Seen seen = surroundings.agent().mps(new UsualConfig(surroundings).orDefault());
        return new MpsJson(seen.gpus()).node(seen.mps());
    }

    private static JsonObject narrowed(JsonObject document, Optional<String> target) throws AgentException {
        if (target.isEmpty()) {
            return document;
        }
        String name = MpsNames.target(target.get());
        List<JsonValue> fitting = document.items("daemons").orElse(List.of()).stream()
                .filter(daemon -> isNamed(daemon, name))
                .toList();
        if (fitting.isEmpty()) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "there is no MPS daemon on " + name + "; gpu-agent mps list shows all");
        }
        return only(document, fitting);
    }

    private static boolean isNamed(JsonValue daemon, String name) {
        return daemon.text("id").equals(Optional.of(name))
                || daemon.items("devices").orElse(List.of()).stream()
                        .anyMatch(device -> device.text("uuid")
                                        .filter(uuid -> uuid.startsWith(name))
                                        .isPresent()
                                || device.number("gpu")
                                        .filter(index -> Integer.toString(index.intValue())
                                                .equals(name))
                                        .isPresent());
    }

    /** These daemons, and what goes on beside them on their devices. */
    private static JsonObject only(JsonObject document, List<JsonValue> daemons) {
        Set<String> devices = daemons.stream()
                .flatMap(daemon -> daemon.items("devices").orElse(List.of()).stream())
                .flatMap(device -> device.text("uuid").stream())
                .collect(Collectors.toSet());
        return document.with("daemons", new JsonArray(daemons))
                .with("bypasses", onDevices(document, "bypasses", devices))
                .with("loads", onDevices(document, "loads", devices));
    }

    private static JsonArray onDevices(JsonObject document, String member, Set<String> devices) {
        return new JsonArray(document.items(member).orElse(List.of()).stream()
                .filter(item -> item.text("device").filter(devices::contains).isPresent())
                .toList());
    }
}
