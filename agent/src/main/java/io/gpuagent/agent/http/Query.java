// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.model.UserText;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The parameters of a request; one that nobody asked for is an error, since it might mean something. */
final class Query {
    private final Map<String, String> parameters;

    private Query(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    /**
     * Reads them.
     *
     * @param request the request
     * @param known those that there are
     * @return their values
     * @throws ProblemException for one that is unknown, stands there twice or is not encoded as it should be
     */
    static Query of(HttpServerRequest request, String... known) throws ProblemException {
        Map<String, String> parameters = new LinkedHashMap<>();
        String text = request.query();
        if (text != null && !text.isEmpty()) {
            for (String part : text.split("&", -1)) {
                int equals = part.indexOf('=');
                String name = decoded(equals < 0 ? part : part.substring(0, equals));
                if (!List.of(known).contains(name)) {
                    throw new ProblemException(
                            Problem.badQuery("there is no parameter " + UserText.quoted(name) + there(known)));
                }
                if (equals < 0) {
                    throw new ProblemException(
                            Problem.badQuery("the parameter " + name + " has no value; write " + name + "=..."));
                }
                if (parameters.put(name, decoded(part.substring(equals + 1))) != null) {
                    throw new ProblemException(
                            Problem.badQuery("the parameter " + name + " is there twice; keep one of the two"));
                }
            }
        }
        return new Query(parameters);
    }

    private static String there(String... known) {
        return known.length == 0 ? "; this path takes none" : "; there are " + String.join(", ", known);
    }

    private static String decoded(String text) throws ProblemException {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            if (decoded.indexOf('\uFFFD') < 0) {
                return decoded;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new ProblemException(Problem.badQuery());
    }

    <T> Optional<T> value(String name, Function<String, T> parser) throws ProblemException {
        try {
            return Optional.ofNullable(parameters.get(name)).map(parser);
        } catch (IllegalArgumentException e) {
            throw ChangeProblems.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
