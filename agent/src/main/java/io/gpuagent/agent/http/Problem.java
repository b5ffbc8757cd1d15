// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.agent.config.Quoted;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * An error as RFC 9457 has it.
 *
 * @param status the HTTP status
 * @param code stable, for programs
 * @param title what kind of error, the same for each code
 * @param detail what was wrong this time and what would be right
 * @param mistakes the places of a file that are meant, where it is about one; an extension member {@code problems}
 */
record Problem(int status, String code, String title, String detail, List<io.gpuagent.agent.config.Problem> mistakes) {
    private static final JsonFactory JSON = new JsonFactory();

    Problem {
        mistakes = List.copyOf(mistakes);
    }

    Problem(int status, String code, String title, String detail) {
        this(status, code, title, detail, List.of());
    }

    static Problem notFound(String path) {
        return new Problem(404, "not_found", "No such path", "there is nothing at " + path);
    }

    static Problem method(String method, String path, String allowed) {
        return new Problem(
                405, "method_not_allowed", "Method not allowed", path + " answers " + allowed + ", not " + method);
    }

    static Problem mpsOff() {
        return new Problem(
                404,
                "mps_off",
                "MPS is not supervised",
                "this agent does not supervise MPS: mps.enabled is false in its configuration");
    }

    static Problem unknownFormat(String format) {
        return new Problem(
                400,
                "unknown_format",
                "Unknown page format",
                "there is no page format " + Quoted.of(format) + "; the only one is native");
    }

    static Problem badQuery() {
        return new Problem(
                400, "bad_query", "Query not readable", "the query is not percent-encoded as RFC 3986 has it");
    }

    static Problem internal() {
        return new Problem(500, "internal", "Internal error", "the agent's log says more");
    }

    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            json.writeStringField("code", code);
            if (!mistakes.isEmpty()) {
                json.writeArrayFieldStart("problems");
                for (io.gpuagent.agent.config.Problem mistake : mistakes) {
                    json.writeStartObject();
                    json.writeNumberField("line", mistake.line());
                    json.writeNumberField("column", mistake.column());
                    json.writeStringField("what", mistake.what());
                    json.writeStringField("right", mistake.right());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Nothing can fail in memory.
        }
        return text.toString();
    }
}
