// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.model.UserText;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;

/** What a body must be: JSON in UTF-8, as it is. */
final class JsonContent {
    private JsonContent() {}

    /** A client that says nothing of its body is believed to send JSON; what it says must be true. */
    static void check(HttpServerRequest request) throws ProblemException {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && !isJson(type)) {
            throw new ProblemException(Problem.mediaType("the body is said to be " + UserText.quoted(type)
                    + "; send JSON in UTF-8 with Content-Type: application/json"));
        }
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
            throw new ProblemException(Problem.mediaType(
                    "the body is said to be encoded as " + UserText.quoted(encoding) + "; send it as it is"));
        }
    }

    private static boolean isJson(String type) {
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals("application/json")) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].replaceAll("[\\s\"]", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }
}
