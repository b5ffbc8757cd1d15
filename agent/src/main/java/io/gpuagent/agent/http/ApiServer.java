// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.agent.poll.Snapshots;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;

/** Serves the command line over a Unix socket: JSON under {@code /v1/}. */
public final class ApiServer {
    private static final String JSON = "application/json";

    private final Vertx vertx;
    private final Snapshots snapshots;
    private final AgentMeters meters;
    private final HttpServer server;

    /**
     * A server that does not listen yet.
     *
     * @param vertx where it runs
     * @param snapshots what it serves
     * @param meters counts its requests
     */
    public ApiServer(Vertx vertx, Snapshots snapshots, AgentMeters meters) {
        this.vertx = vertx;
        this.snapshots = snapshots;
        this.meters = meters;
        ServerLimits.Cap cap = new ServerLimits.Cap(ServerLimits.API);
        this.server = vertx.createHttpServer(ServerLimits.API.options())
                .connectionHandler(cap::admit)
                .requestHandler(this::handle);
    }

    /**
     * Starts to listen.
     *
     * @param socket where; nothing may be there
     * @return completes when it listens
     */
    public Future<Void> listen(Path socket) {
        return server.listen(SocketAddress.domainSocketAddress(socket.toString()))
                .mapEmpty();
    }

    /**
     * Stops.
     *
     * @return completes when no connection is left
     */
    public Future<Void> close() {
        return server.close();
    }

    private void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.endHandler(ended -> meters.count("api", response.getStatusCode()));
        if (!request.path().equals("/v1/status")) {
            Problem.notFound(request.path()).send(response);
        } else if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            Problem.method(request.method().name(), request.path()).send(response);
        } else {
            vertx.executeBlocking(() -> StatusJson.write(snapshots.current()), false)
                    .onSuccess(json -> MetricsServer.send(request, 200, JSON, Buffer.buffer(json)))
                    .onFailure(failure -> {
                        System.getLogger(ApiServer.class.getName())
                                .log(System.Logger.Level.ERROR, "the status could not be made", failure);
                        Problem.internal().send(response);
                    });
        }
    }
}
