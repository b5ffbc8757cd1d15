// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a careless user may send to the paths of health and release: one sentence, and nothing changes. */
@Timeout(120)
class BadHealthRequestsIT {
    private static final int LONGEST_DETAIL = 400;

    @TempDir
    private static Path folder;

    private static ServedMig node;

    @BeforeAll
    static void start() throws Exception {
        node = ServedMig.start("h200", folder);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v1/health?x=1                        | 400 | bad_query   | there is no parameter "x"; this path takes none
            /v1/health/                           | 404 | not_found   | there is nothing at /v1/health/
            /v1/incidents?open=maybe              | 400 | bad_request | open must be true or false
            /v1/incidents?state=open              | 400 | bad_query   | there is no parameter "state"; there are open
            /v1/incidents/                        | 404 | no_incident | there is no incident
            /v1/incidents/9                       | 404 | no_incident | there is no incident
            /v1/incidents/9?x=1                   | 400 | bad_query   | there is no parameter "x"; this path takes none
            /v1/incidents/%1b%5b2J                | 404 | no_incident | there is no incident
            /v1/events?since=abc                  | 400 | bad_request | since must be the number of an event, such as 17
            /v1/events?since=-1                   | 400 | bad_request | since must be the number of an event
            /v1/events?since=                     | 400 | bad_request | since must be the number of an event
            /v1/events?since=9999999999999999999  | 400 | bad_request | since must be the number of an event
            /v1/events?since=1&since=2            | 400 | bad_query   | the parameter since is there twice
            /v1/events?follow=maybe               | 400 | bad_request | follow must be true or false
            /v1/events?follow                     | 400 | bad_query   | the parameter follow has no value
            /v1/events?gpu=0                      | 400 | bad_query   | there are since, follow
            /v1/release?x=1                       | 400 | bad_query   | there is no parameter "x"; this path takes none
            /v1/release/                          | 404 | not_found   | there is nothing at /v1/release/
            """)
    void badReadsAreRefused(String path, int status, String code, String sentence) throws Exception {
        check(node.get(path), status, code, sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            incidents/9/ack  | {"why": "known"}                        | 404 | no_incident | there is no incident
            incidents/ack    | {"why": "known"}                        | 405 | method_not_allowed | GET and HEAD, not POST
            incidents//ack   | {"why": "known"}                        | 404 | no_incident | there is no incident
            incidents/9/ack  | {}                                      | 400 | bad_request | the member why must say why, in 1 to 500 characters
            incidents/9/ack  | {"why": "  "}                           | 400 | bad_request | the member why must say why
            incidents/9/ack  | {"why": "LONG"}                         | 400 | bad_request | in 1 to 500 characters
            incidents/9/ack  | {"why": 5}                              | 400 | bad_request | the member why must be a string
            incidents/9/ack  | {"why": "known", "who": "root"}         | 400 | bad_request | there is no member "who"; there are why
            incidents/9/ack  | why=known                               | 400 | bad_request | it is no JSON
            release          | {}                                      | 400 | bad_request | the member seconds must be 1 to 7200
            release          | {"seconds": 0}                          | 400 | bad_request | the member seconds must be 1 to 7200
            release          | {"seconds": 99999}                      | 400 | bad_request | the member seconds must be 1 to 7200
            release          | {"seconds": -5}                         | 400 | bad_request | the member seconds must be a whole number
            release          | {"seconds": 1.5}                        | 400 | bad_request | the member seconds must be a whole number
            release          | {"seconds": "abc"}                      | 400 | bad_request | the member seconds must be a whole number
            release          | {"seconds": 60, "gpu": "0"}             | 400 | bad_request | there is no member "gpu"; there are seconds, why
            release          | {"seconds": 60, "why": 5}               | 400 | bad_request | the member why must be a string
            release          | {"seconds": 60, "why": "LONG"}          | 400 | bad_request | the member why may have 500 characters
            release          | []                                      | 400 | bad_request | the body is no JSON object
            """)
    void badChangesAreRefused(String path, String body, int status, String code, String sentence) throws Exception {
        check(node.post("/v1/" + path, body.replace("LONG", "x".repeat(501))), status, code, sentence);
        assertThat(node.get("/v1/release").json().truth("released")).contains(false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /v1/health          | GET, HEAD
            DELETE | /v1/incidents       | GET, HEAD
            PUT    | /v1/incidents/9     | GET, HEAD
            GET    | /v1/incidents/9/ack | POST
            DELETE | /v1/incidents/9/ack | POST
            POST   | /v1/events          | GET, HEAD
            PUT    | /v1/release         | GET, HEAD, POST, DELETE
            BREW   | /v1/release         | GET, HEAD, POST, DELETE
            """)
    void methodsThatAreNotThereAreRefusedAndThoseThatAreAreNamed(String method, String path, String allowed)
            throws Exception {
        String answer = new UnixHttp(folder.resolve("run/gpu-agent.sock"))
                .exchange(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 405 ")
                .containsIgnoringCase("\r\nallow: " + allowed + "\r\n")
                .contains("\"code\":\"method_not_allowed\"");
    }

    private static void check(ServedMig.Answer answer, int status, String code, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.text("code")).isEqualTo(code);
        assertThat(answer.text("detail")).contains(sentence).hasSizeLessThan(LONGEST_DETAIL);
    }
}
