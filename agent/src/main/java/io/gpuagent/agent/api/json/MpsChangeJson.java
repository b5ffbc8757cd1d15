// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.mps.env.ClientSetup;
import io.gpuagent.mps.env.EnvironmentFormat;
import io.gpuagent.mps.env.EnvironmentText;
import io.gpuagent.mps.supervise.Effect;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes what a change of MPS would do and did, and what clients need; {@code docs/api/mps.md} describes the shapes. */
public final class MpsChangeJson {
    private MpsChangeJson() {}

    /**
     * What a change would do.
     *
     * @param daemon the daemon's id
     * @param effect the plan
     * @return the document
     */
    public static JsonObject plan(String daemon, Effect effect) {
        return new JsonMembers()
                .put("version", MpsJson.VERSION)
                .put("daemon", daemon)
                .put("dry_run", true)
                .put("effect", effect(effect))
                .object();
    }

    /**
     * What a change did.
     *
     * @param daemon the daemon's id
     * @param effect the plan, as it was right before
     * @param before the state that was found, in a few words
     * @param after the state as it was read back
     * @param lines what else is worth telling
     * @return the document
     */
    public static JsonObject done(String daemon, Effect effect, String before, String after, List<String> lines) {
        return new JsonMembers()
                .put("version", MpsJson.VERSION)
                .put("daemon", daemon)
                .put("dry_run", false)
                .put("effect", effect(effect))
                .put("before", before)
                .put("after", after)
                .list("lines", lines, JsonText::new)
                .object();
    }

    private static JsonObject effect(Effect effect) {
        return new JsonMembers()
                .put("reach", effect.reach().name().toLowerCase(Locale.ROOT))
                .put("sentence", effect.sentence())
                .list("staying", effect.staying(), MpsJson::client)
                .list("breaking", effect.breaking(), MpsJson::client)
                .object();
    }

    /**
     * What a client needs.
     *
     * @param setup the client's setup
     * @param format who reads the text
     * @param before what to know first, one sentence each
     * @return the document
     */
    public static JsonObject environment(ClientSetup setup, EnvironmentFormat format, List<String> before) {
        JsonMembers variables = new JsonMembers();
        setup.variables().forEach(variables::put);
        return new JsonMembers()
                .put("version", MpsJson.VERSION)
                .put("daemon", setup.daemon())
                .put("format", format.label())
                .put("variables", variables.object())
                .put("text", EnvironmentText.of(setup, format))
                .list(
                        "notes",
                        Stream.concat(before.stream(), setup.notes(format).stream())
                                .toList(),
                        JsonText::new)
                .object();
    }
}
