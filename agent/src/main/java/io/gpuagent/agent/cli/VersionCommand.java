// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** Which agent this is. */
@Command(
        name = "version",
        header = "Shows the version of gpu-agent.",
        optionListHeading = "%nOptions:%n",
        footer = {"", "Example:", "  gpu-agent version --json"})
final class VersionCommand implements Runnable {
    private final Surroundings surroundings;

    @Option(names = "--json", description = "Write JSON: agent_version, java_version.")
    boolean json;

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public void run() {
        if (json) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("version", new JsonNumber("1"));
            members.put("agent_version", new JsonText(AgentVersion.current()));
            members.put("java_version", new JsonText(Runtime.version().toString()));
            surroundings.output().utf8(PrettyJson.write(new JsonObject(members)));
        } else {
            surroundings.output().text(text() + "\n");
        }
    }

    private static String text() {
        return "gpu-agent " + AgentVersion.current();
    }

    /** For {@code gpu-agent --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}
