// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;

/**
 * The refusal of a request whose connection is of no more use. It is written at once, and the connection is closed when
 * the client has sent all or after a while: a connection that is closed over bytes that were not read is reset, and a
 * reset can cost the client the answer (RFC 9112, 9.6).
 */
final class LastAnswer {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final long timer;

    /**
     * Answers.
     *
     * @param vertx gives the time
     * @param request what is refused; one that was answered already is only ended
     * @param problem why
     * @param longest after this the connection is closed in any case
     */
    LastAnswer(Vertx vertx, HttpServerRequest request, Problem problem, Duration longest) {
        this.vertx = vertx;
        this.request = request;
        HttpServerResponse response = request.response();
        if (!response.headWritten() && !response.closed()) {
            Buffer body = Buffer.buffer(problem.json());
            response.setStatusCode(problem.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, Problem.TYPE)
                    .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                    .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                    .write(body);
        }
        this.timer =
                vertx.setTimer(longest.toMillis(), late -> request.connection().close());
    }

    /** The client has sent all, or more than anybody would wait for. */
    void close() {
        vertx.cancelTimer(timer);
        request.connection().close();
    }
}
