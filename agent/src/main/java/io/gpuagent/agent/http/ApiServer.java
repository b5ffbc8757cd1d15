// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.agent.health.HealthWatch;
import io.gpuagent.agent.mig.MigService;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.agent.poll.TimedRelease;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Serves the command line over a Unix socket: JSON under {@code /v1/}. */
public final class ApiServer {
    private final Snapshots snapshots;
    private final AgentMeters meters;
    private final Optional<MpsApi> mps;
    private final HealthApi health;
    private final ReleaseApi release;
    private final MigApi mig;
    private final HttpServer server;

    /**
     * A server that does not listen yet.
     *
     * @param vertx where it runs
     * @param snapshots what it serves
     * @param meters counts its requests
     * @param mps supervises MPS; empty where it is turned off
     * @param health gives the verdicts
     * @param release lets go of NVML
     * @param mig plans and changes MIG layouts
     * @param drain how long clients may take when a daemon is drained, unless a request says otherwise
     * @param ownUid the agent's user, who may change things beside root
     */
    public ApiServer(
            Vertx vertx,
            Snapshots snapshots,
            AgentMeters meters,
            Optional<MpsService> mps,
            HealthWatch health,
            TimedRelease release,
            MigService mig,
            Duration drain,
            long ownUid) {
        this.snapshots = snapshots;
        this.meters = meters;
        this.mps = mps.map(service -> new MpsApi(vertx, service, drain, ownUid));
        this.health = new HealthApi(vertx, health, snapshots::current, ownUid);
        this.release = new ReleaseApi(vertx, release, snapshots::current, mps, ownUid);
        this.mig = new MigApi(vertx, mig, ownUid);
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

    private void handle(Exchange exchange) {
        meters.count("api", exchange.response());
        if (exchange.path().startsWith(MpsApi.ROOT)) {
            mps.ifPresentOrElse(api -> api.handle(exchange), () -> exchange.send(Problem.mpsOff()));
        } else if (HealthApi.isFor(exchange.path())) {
            health.handle(exchange);
        } else if (exchange.path().equals(ReleaseApi.PATH)) {
            release.handle(exchange);
        } else if (MigApi.owns(exchange.path())) {
            mig.handle(exchange);
        } else if (!exchange.path().equals("/v1/status")) {
            exchange.send(Problem.notFound(exchange.path()));
        } else if (exchange.readsOnly()) {
            exchange.sendOnceMade("application/json", () -> {
                Query.of(exchange.request());
                return Buffer.buffer(StatusJson.write(snapshots.current()));
            });
        }
    }
}
