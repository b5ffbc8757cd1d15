// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.model.UserText;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
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
    /** The media type. */
    static final String TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    Problem {
        mistakes = List.copyOf(mistakes);
    }

    Problem(int status, String code, String title, String detail) {
        this(status, code, title, detail, List.of());
    }

    static Problem notFound(String path) {
        return new Problem(404, "not_found", "No such path", "there is nothing at " + UserText.shortened(path));
    }

    static Problem method(String method, String path, String allowed) {
        return new Problem(
                405,
                "method_not_allowed",
                "Method not allowed",
                UserText.shortened(path) + " answers " + inWords(allowed) + ", not " + UserText.shortened(method));
    }

    private static String inWords(String allowed) {
        int last = allowed.lastIndexOf(", ");
        return last < 0 ? allowed : allowed.substring(0, last) + " and " + allowed.substring(last + 2);
    }

    static Problem tooLarge(int most) {
        return new Problem(
                413,
                "body_too_large",
                "Body too large",
                "the body has more than " + (most >> 10) + " KiB; no request needs so much");
    }

    static Problem tooSlow(Duration within) {
        return new Problem(
                408,
                "body_too_slow",
                "Body too slow",
                "the body was not there within " + within.toSeconds() + " s; send it at once");
    }

    static Problem mediaType(String detail) {
        return new Problem(415, "unsupported_media_type", "Not JSON", detail);
    }

    /** What no request could be made of. */
    static Problem malformed(DecoderResult result) {
        return switch (result.cause()) {
            case TooLongHttpLineException line ->
                new Problem(414, "uri_too_long", "Request line too long", "the request line has more than 4 KiB");
            case TooLongHttpHeaderException header ->
                new Problem(431, "header_too_large", "Header too large", "the header has more than 8 KiB");
            case null, default -> malformed();
        };
    }

    static Problem malformed() {
        return new Problem(
                400, "malformed_request", "Not HTTP/1.1", "the request is not written as HTTP/1.1 has it (RFC 9112)");
    }

    static Problem mpsOff() {
        return new Problem(
                404,
                "mps_off",
                "MPS is not supervised",
                "this agent does not supervise MPS: mps.enabled is false in its configuration");
    }

    static Problem noIncident(String id) {
        return new Problem(
                404,
                "no_incident",
                "No such incident",
                "there is no incident " + UserText.quoted(id) + "; /v1/incidents lists them");
    }

    static Problem tooManyFollowers(int most) {
        return new Problem(
                503,
                "too_many_followers",
                "Too many followers",
                "there are " + most + " who follow the events already; ask with since= now and then instead");
    }

    static Problem unknownFormat(String format) {
        return new Problem(
                400,
                "unknown_format",
                "Unknown page format",
                "there is no page format " + UserText.quoted(format) + "; there are native and dcgm");
    }

    static Problem badQuery() {
        return badQuery("the query is not percent-encoded as RFC 3986 has it");
    }

    static Problem badQuery(String detail) {
        return new Problem(400, "bad_query", "Query not understood", detail);
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
