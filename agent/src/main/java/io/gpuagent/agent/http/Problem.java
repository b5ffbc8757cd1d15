// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.agent.config.Quoted;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * An error as RFC 9457 has it.
 *
 * @param status the HTTP status
 * @param code stable, for programs
 * @param title what kind of error, the same for each code
 * @param detail what was wrong this time and what would be right
 */
record Problem(int status, String code, String title, String detail) {
    private static final JsonFactory JSON = new JsonFactory();

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
                "there is no page format " + Quoted.of(format) + "; there are native and dcgm");
    }

    static Problem badQuery() {
        return new Problem(
                400, "bad_query", "Query not readable", "the query is not percent-encoded as RFC 3986 has it");
    }

    static Problem tooManyScrapes() {
        return new Problem(
                503,
                "too_many_scrapes",
                "Too many scrapes at once",
                "as many scrapes as there may be are under way already; come back in a second");
    }

    static Problem tooSlow() {
        return new Problem(
                503,
                "too_slow",
                "Not ready in time",
                "the page was not made within the time that X-Prometheus-Scrape-Timeout-Seconds leaves");
    }

    static Problem unauthorized() {
        return new Problem(401, "unauthorized", "Not authorized", "give a user and a password that are known here");
    }

    static Problem tooManyPasswords() {
        return new Problem(
                429,
                "too_many_passwords",
                "Too many passwords to check",
                "too many passwords were wrong, or wait to be checked; come back in a second");
    }

    static Problem tooManyRequests() {
        return new Problem(
                429, "too_many_requests", "Too many requests", "rate_limit of the web configuration is reached");
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
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Nothing can fail in memory.
        }
        return text.toString();
    }
}
