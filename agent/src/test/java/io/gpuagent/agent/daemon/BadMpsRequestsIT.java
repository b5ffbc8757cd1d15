// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a hostile or careless user may send: each is answered by one short sentence, and nothing is changed by it. */
@Timeout(120)
class BadMpsRequestsIT {
    private static final String LONG = "x".repeat(3000);
    private static final int LONGEST_DETAIL = 400;

    @TempDir
    private static Path folder;

    private static ServedMps node;

    @BeforeAll
    static void start() throws Exception {
        node = ServedMps.start("h200x2", folder);
        await().atMost(ServedMps.PATIENCE).until(() -> node.page().contains("gpu_cuda_cores"));
        ServedMps.Answer started = node.post(
                "/v1/mps/daemons", "{\"target\": \"0\", \"share\": {\"threads\": \"25%\", \"memory\": \"8GiB\"}}");
        assertThat(started.status()).as(started.body()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            /v1/mps/                                   | 404 | not_found   | there is nothing at /v1/mps/
            /v1/mps/LONG                               | 404 | not_found   | there is nothing at /v1/mps/xxx
            /v1/mps/daemons/                           | 404 | not_found   | there is no MPS daemon ""; there are gpu-
            /v1/mps/daemons/%00                        | 404 | not_found   | there is no MPS daemon "\\u0000"
            /v1/mps/daemons/%1b%5b2J                   | 404 | not_found   | there is no MPS daemon "\\u001b[2J"
            /v1/mps/daemons/%e2%80%ae                  | 404 | not_found   | there is no MPS daemon "\\u202e"
            /v1/mps/daemons/%zz                        | 404 | not_found   | there is nothing at /v1/mps/daemons/%zz
            /v1/mps/daemons/a%2Fb                      | 404 | not_found   | there is no MPS daemon "a/b"
            /v1/mps/daemons/LONG                       | 404 | not_found   | there is no MPS daemon "xxx
            /v1/mps/daemons/9                          | 404 | not_found   | there is no GPU "9"; this node has 0 (GPU-
            /v1/mps/daemons/1                          | 404 | not_found   | "1" has no MPS daemon; start one with
            /v1/mps/daemons/GPU-                       | 404 | not_found   | write more of the name
            /v1/mps/daemons/MIG-1                      | 404 | not_found   | there is no MIG device "MIG-1"
            /v1/mps/daemons?all=1                      | 400 | bad_query   | there is no parameter "all"; this path takes none
            /v1/mps/daemons/0?x                        | 400 | bad_query   | there is no parameter "x"
            /v1/mps/daemons/0/clients?x=1              | 400 | bad_query   | there is no parameter "x"
            /v1/status?x=1                             | 400 | bad_query   | there is no parameter "x"
            /v1/mps/env                                | 400 | bad_request | no daemon is named: add ?target=
            /v1/mps/env?target=                        | 400 | bad_request | no daemon is named: add ?target=
            /v1/mps/env?target                         | 400 | bad_query   | the parameter target has no value
            /v1/mps/env?target=0&target=1              | 400 | bad_query   | the parameter target is there twice
            /v1/mps/env?target=0&thread=5              | 400 | bad_query   | there is no parameter "thread"; there are target, format, threads, memory, priority
            /v1/mps/env?target=0&LONG=5                | 400 | bad_query   | there is no parameter "xxx
            /v1/mps/env?target=0;format=docker         | 404 | not_found   | there is no MPS daemon "0;format=docker"
            /v1/mps/env?target=%zz                     | 400 | bad_query   | the query is not percent-encoded
            /v1/mps/env?target=%ff                     | 400 | bad_query   | the query is not percent-encoded
            /v1/mps/env?target=LONG                    | 404 | not_found   | there is no MPS daemon "xxx
            /v1/mps/env?target=0&format=csh            | 400 | bad_request | there is no format "csh": write shell, systemd or docker
            /v1/mps/env?target=0&format=LONG           | 400 | bad_request | there is no format "xxx
            /v1/mps/env?target=0&threads=0             | 400 | bad_request | "0" is out of range
            /v1/mps/env?target=0&threads=150           | 400 | bad_request | "150" is out of range
            /v1/mps/env?target=0&threads=abc           | 400 | bad_request | "abc" is no percentage
            /v1/mps/env?target=0&threads=LONG          | 400 | bad_request | "xxx
            /v1/mps/env?target=0&threads=0.5           | 400 | bad_request | is less than one pair of the 132 multiprocessors
            /v1/mps/env?target=0&memory=1T             | 400 | bad_request | a memory limit of 1024GiB is more than the device
            /v1/mps/env?target=0&memory=143772MiB      | 400 | bad_request | 143771 MiB; ask for less, or leave it out
            /v1/mps/env?target=0&memory=-1GiB          | 400 | bad_request | "-1GiB" is no amount of memory
            /v1/mps/env?target=0&memory=LONG           | 400 | bad_request | "xxx
            /v1/mps/env?target=0&priority=high         | 400 | bad_request | write normal or below-normal
            /v1/mps/env?target=0&priority=%0a%1b%5b31m | 400 | bad_request | the client priority "\\n\\u001b[31m" is unknown
            """)
    void badReadsAreRefused(String path, int status, String code, String sentence) throws Exception {
        check(node.get(path.replace("LONG", LONG)), status, code, sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            daemons                    | {"target": "0", "target": "1"}                | 400 | bad_request | the member "target" is there twice; keep one of the two
            daemons                    | {"target": "1", "share": {"a": 1, "a": 2}}     | 400 | bad_request | the member "a" is there twice
            daemons                    | {"target": "0"} x                              | 400 | bad_request | it is no JSON at line 1, column 18
            daemons                    | {"target": "0"                                 | 400 | bad_request | it is no JSON at line 1
            daemons                    | {"target": 0}                                  | 400 | bad_request | the member target must be a string
            daemons                    | {"target": "0", "share": null}                 | 400 | bad_request | the member share must be an object
            daemons                    | {"target": "1", "share": {"threads": 25}}      | 400 | bad_request | the member share.threads must be a string
            daemons                    | {"target": "1", "share": {"threads": "LONG"}}  | 400 | bad_request | the thread percentage "xxx
            daemons                    | {"target": "1", "share": {"memory": "LONG"}}   | 400 | bad_request | the memory limit "xxx
            daemons                    | {"target": "1", "share": {"memory": "8LONG"}}  | 400 | bad_request | has the unknown unit xxx
            daemons                    | {"target": "1", "share": {"priority": "LONG"}} | 400 | bad_request | the client priority "xxx
            daemons                    | {"LONG": 1}                                    | 400 | bad_request | there is no member "xxx
            daemons                    | {"target": "LONG"}                             | 404 | not_found   | "xxx
            daemons                    | {"targets": ["0", null]}                       | 400 | bad_request | must be a list of strings
            daemons                    | {"targets": ["1", "1"], "name": "twice"}       | 400 | bad_request | names a device twice
            daemons                    | {"target": "1", "name": "A B"}                 | 400 | bad_request | "A B" is no id
            daemons                    | {"target": "1", "name": "LONG"}                | 400 | bad_request | is no id
            daemons?dry_run=true       | {"target": "1"}                                | 400 | bad_query   | there is no parameter "dry_run"
            daemons/0/set              | {}                                             | 400 | bad_request | nothing is to be set
            daemons/0/set              | {"share": {"threads": "10", "x": 1}}           | 400 | bad_request | there is no member "share.x"; there are threads, memory, priority
            daemons/0/stop             | {"mode": "LONG"}                               | 400 | bad_request | there is no mode "xxx
            daemons/0/stop             | {"mode": "Drain"}                              | 400 | bad_request | write refuse, drain or force
            daemons/0/stop             | {"deadline_seconds": 5}                        | 400 | bad_request | the mode refuse waits for none
            daemons/0/stop             | {"mode": "drain", "deadline_seconds": 901}     | 400 | bad_request | a grace of 901 s is out of range
            daemons/0/stop             | {"mode": "drain", "deadline_seconds": -1}      | 400 | bad_request | must be a whole number
            daemons/0/terminate-client | {}                                             | 400 | bad_request | no client is named
            daemons/0/terminate-client | {"pid": 1}                                     | 400 | bad_request | 1 is no process id that can be asked for
            daemons/0/terminate-client | {"pid": -5}                                    | 400 | bad_request | must be a whole number
            daemons/0/terminate-client | {"pid": 1.5}                                   | 400 | bad_request | must be a whole number
            daemons/0/terminate-client | {"pid": "5"}                                   | 400 | bad_request | must be a whole number
            daemons/0/terminate-client | {"pid": 99999999999999999999}                  | 400 | bad_request | must be a whole number
            daemons/0/terminate-client | {"pid": 5}                                     | 404 | not_found   | has no client 5
            daemons/0/resume           | {"pid": 5}                                     | 400 | bad_request | there is no member "pid"; there are dry_run
            daemons/0/resume           | {}                                             | 409 | in_use      | nothing is to be done
            daemons/none/resume        | {}                                             | 404 | not_found   | there is no MPS daemon "none"
            """)
    void badChangesAreRefused(String path, String body, int status, String code, String sentence) throws Exception {
        check(node.post("/v1/mps/" + path, body.replace("LONG", LONG)), status, code, sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Type: text/plain                        | the body is said to be "text/plain"
            Content-Type: application/x-www-form-urlencoded | send JSON in UTF-8 with Content-Type: application/json
            Content-Type: application/json; charset=utf-16  | send JSON in UTF-8
            Content-Encoding: gzip                          | the body is said to be encoded as "gzip"
            """)
    void whatIsNotSaidToBePlainJsonIsRefused(String header, String sentence) throws Exception {
        check(
                node.send("POST", "/v1/mps/daemons/0/set", header + "\r\n", "{\"share\": {\"threads\": \"10\"}}"),
                415,
                "unsupported_media_type",
                sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /v1/mps/daemons           | GET, HEAD and POST, not PUT
            DELETE | /v1/mps/daemons/0         | GET and HEAD, not DELETE
            POST   | /v1/mps/daemons/0/clients | GET and HEAD, not POST
            GET    | /v1/mps/daemons/0/resume  | answers POST, not GET
            BREW   | /v1/mps/env               | GET and HEAD, not BREW
            """)
    void methodsThatAreNotThereAreRefused(String method, String path, String sentence) throws Exception {
        check(node.send(method, path, "", ""), 405, "method_not_allowed", sentence);
    }

    @Test
    void aClientThatNeverSendsItsBodyIsToldSoAndHoldsNothing() throws Exception {
        String answer = new UnixHttp(node.socket)
                .exchange("POST /v1/mps/daemons HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{");

        assertThat(answer).startsWith("HTTP/1.1 408 ").contains("\"code\":\"body_too_slow\"");
    }

    @Test
    void aChunkThatIsNoneEndsTheConnectionAndNoMore() throws Exception {
        String answer = new UnixHttp(node.socket)
                .exchange(String.join(
                        "\r\n",
                        "POST /v1/mps/daemons HTTP/1.1",
                        "Host: localhost",
                        "Transfer-Encoding: chunked",
                        "",
                        "zz",
                        "{}",
                        "0",
                        "",
                        ""));

        // Vert.x closes such a connection before anything can be said.
        assertThat(answer).isEmpty();
        assertThat(node.get("/v1/mps/daemons").status()).isEqualTo(200);
    }

    @Test
    void whatIsSaidToBeJsonInUtf8IsTaken() throws Exception {
        ServedMps.Answer plan = node.send(
                "POST",
                "/v1/mps/daemons/0/set",
                "Content-Type: Application/JSON; charset=\"UTF-8\"\r\nContent-Encoding: identity\r\n",
                "{\"share\": {\"threads\": \"10\"}, \"dry_run\": true}");

        assertThat(plan.status()).as(plan.body()).isEqualTo(200);
    }

    private static void check(ServedMps.Answer answer, int status, String code, String sentence) throws Exception {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.head()).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.detail())
                .contains(sentence)
                .hasSizeLessThan(LONGEST_DETAIL)
                .doesNotContainPattern("\\p{Cntrl}");
        assertThat(node.get("/v1/mps/daemons/0").json().number("in_force", "threads_percent"))
                .contains(25.0);
    }
}
