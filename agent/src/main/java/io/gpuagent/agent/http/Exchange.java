// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import java.util.concurrent.Callable;

/** One request and its answer. */
final class Exchange {
    private static final System.Logger LOG = System.getLogger(Exchange.class.getName());

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final RequestBody body;

    Exchange(Vertx vertx, HttpServerRequest request, RequestBody body) {
        this.vertx = vertx;
        this.request = request;
        this.body = body;
    }

    HttpServerRequest request() {
        return request;
    }

    RequestBody body() {
        return body;
    }

    HttpServerResponse response() {
        return request.response();
    }

    /** The path asked for; empty where the request line holds none, which matches no path. */
    String path() {
        String path = request.path();
        return path == null ? "" : path;
    }

    /** Whether it only reads; if not, it has been refused. */
    boolean readsOnly() {
        return mayRead("GET, HEAD");
    }

    /** The same where more methods are allowed; if it does not only read, it has been refused. */
    boolean mayRead(String allowed) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            return true;
        }
        refuseMethod(allowed);
        return false;
    }

    boolean isPost() {
        return request.method().equals(HttpMethod.POST);
    }

    void refuseMethod(String allowed) {
        response().putHeader(HttpHeaders.ALLOW, allowed);
        send(Problem.method(request.method().name(), path(), allowed));
    }

    void send(Problem problem) {
        send(problem.status(), Problem.TYPE, Buffer.buffer(problem.json()));
    }

    /** Refuses what would be answered at another time. */
    void sendLater(Problem problem) {
        response().putHeader(HttpHeaders.RETRY_AFTER, "1");
        send(problem);
    }

    /** Completes once the client has it, or has gone. */
    Future<Void> send(int status, String type, Buffer content) {
        Promise<Void> over = Promise.promise();
        response().closeHandler(gone -> over.tryComplete());
        body.afterwards(() -> sendNow(status, type, content).onComplete(sent -> over.tryComplete()));
        return over.future();
    }

    private Future<Void> sendNow(int status, String type, Buffer content) {
        if (response().headWritten() || response().closed()) {
            // Its body was refused in the middle, or who asked has gone.
            return Future.succeededFuture();
        }
        HttpServerResponse response = response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()));
        return request.method().equals(HttpMethod.HEAD) ? response.end() : response.end(content);
    }

    /** Makes the body on a worker thread: it takes milliseconds, and the event loop has others to answer. */
    void sendOnceMade(String type, Callable<Buffer> content) {
        make(content).onComplete(made -> send(200, type, made), this::sendFailure);
    }

    /** A body, from a worker thread. */
    Future<Buffer> make(Callable<Buffer> content) {
        return vertx.executeBlocking(content, false).map(made -> Objects.requireNonNull(made, "no body was made"));
    }

    void sendFailure(Throwable failure) {
        if (failure instanceof ProblemException known) {
            send(known.problem());
            return;
        }
        if (response().closed()) {
            return; // Who asked has gone, in the middle of the request for example.
        }
        LOG.log(System.Logger.Level.ERROR, "no answer could be made for " + path(), failure);
        send(Problem.internal());
    }
}
