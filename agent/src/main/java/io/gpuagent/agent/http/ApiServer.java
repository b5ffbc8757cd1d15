// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.agent.poll.Snapshots;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;

/** Serves the command line over a Unix socket: JSON under {@code /v1/}. */
public final class ApiServer {
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
        this.server = ServerLimits.API.server(vertx, this::handle);
    }

    /**
     * Starts to listen.
     *
     * @param socket where; nothing may be there
     * @return completes with the path when it listens
     */
    public Future<Path> listen(Path socket) {
        return server.listen(SocketAddress.domainSocketAddress(socket.toString()))
                .map(socket);
    }

    private void handle(HttpServerRequest request) {
        Exchange exchange = new Exchange(vertx, request);
        meters.count("api", exchange.response());
        if (!exchange.path().equals("/v1/status")) {
            exchange.send(Problem.notFound(exchange.path()));
        } else if (exchange.readsOnly()) {
            exchange.sendOnceMade("application/json", () -> Buffer.buffer(StatusJson.write(snapshots.current())));
        }
    }
}
