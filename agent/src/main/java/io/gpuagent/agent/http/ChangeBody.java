// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.UserText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The body of a change, member by member; one that nobody asked for is an error, since it might mean something. */
final class ChangeBody {
    private static final int LONGEST_NUMBER = 15;

    private final String where;
    private final JsonObject object;
    private final Set<String> known = new LinkedHashSet<>();

    private ChangeBody(String where, JsonObject object) {
        this.where = where;
        this.object = object;
    }

    static ChangeBody read(byte[] body) throws ProblemException {
        try {
            if (JsonReader.read(body) instanceof JsonObject object) {
                return new ChangeBody("", object);
            }
            throw ChangeProblems.badRequest("the body is no JSON object; docs/api/mps.md shows one");
        } catch (JsonShapeException e) {
            throw ChangeProblems.badRequest("the body cannot be read: " + e.getMessage());
        }
    }

    private Optional<JsonValue> member(String name) {
        known.add(name);
        return object.at(name);
    }

    private ProblemException wrong(String name, String right) {
        return ChangeProblems.badRequest("the member " + where + name + " must be " + right);
    }

    Optional<String> text(String name) throws ProblemException {
        Optional<JsonValue> value = member(name);
        if (value.isPresent() && !(value.get() instanceof JsonText)) {
            throw wrong(name, "a string");
        }
        return object.text(name);
    }

    List<String> texts(String name) throws ProblemException {
        if (member(name).isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue item : object.items(name).orElseThrow(() -> wrong(name, "a list of strings"))) {
            if (!(item instanceof JsonText(String text))) {
                throw wrong(name, "a list of strings");
            }
            texts.add(text);
        }
        return texts;
    }

    Optional<Boolean> truth(String name) throws ProblemException {
        Optional<JsonValue> value = member(name);
        if (value.isPresent() && !(value.get() instanceof JsonTruth)) {
            throw wrong(name, "true or false");
        }
        return object.truth(name);
    }

    Optional<Long> whole(String name) throws ProblemException {
        Optional<JsonValue> value = member(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (value.get() instanceof JsonNumber(String literal)
                && literal.length() <= LONGEST_NUMBER
                && literal.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(Long.valueOf(literal));
        }
        throw wrong(name, "a whole number");
    }

    /** The member {@code share}; a part that is left out is left as it is. */
    Share share() throws ProblemException {
        Optional<JsonValue> value = member("share");
        if (value.isEmpty()) {
            return Share.UNLIMITED;
        }
        if (!(value.get() instanceof JsonObject parts)) {
            throw wrong("share", "an object with threads, memory and priority");
        }
        ChangeBody share = new ChangeBody(where + "share.", parts);
        Share read = new Share(
                share.part("threads", ThreadPercentage::parse),
                share.part("memory", PinnedMemoryLimit::parse),
                share.part("priority", ClientPriority::parse));
        share.finish();
        return read;
    }

    <T> Optional<T> part(String name, Function<String, T> parser) throws ProblemException {
        Optional<String> text = text(name);
        try {
            return text.map(parser);
        } catch (IllegalArgumentException e) {
            throw ChangeProblems.badRequest(String.valueOf(e.getMessage()));
        }
    }

    void finish() throws ProblemException {
        for (String name : object.members().keySet()) {
            if (!known.contains(name)) {
                throw ChangeProblems.badRequest("there is no member " + UserText.quoted(where + name) + "; there are "
                        + String.join(", ", known));
            }
        }
    }
}
