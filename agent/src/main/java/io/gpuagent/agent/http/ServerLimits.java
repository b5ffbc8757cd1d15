// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.TlsConfig;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a server grants its clients, so that slow, silent and greedy ones cost the others nothing; a {@link
 * RequestBody} bounds what comes after a header.
 *
 * @param connections how many may be open at once; one more costs the one its place that has been silent longest
 */
record ServerLimits(int connections) {
    static final ServerLimits METRICS = new ServerLimits(64);
    static final ServerLimits API = new ServerLimits(128);

    private static final int IDLE_SECONDS = 15;
    private static final int HEADER_BYTES = 8 * 1024;
    private static final int REQUEST_LINE_BYTES = 4 * 1024;
    private static final Duration AFTER_MALFORMED = Duration.ofSeconds(1);

    /** A server that grants its clients this much and answers by this handler. */
    HttpServer server(Vertx vertx, Handler<Exchange> handler) {
        return server(vertx, handler, Optional.empty());
    }

    /** The same, over TLS where it is given. */
    HttpServer server(Vertx vertx, Handler<Exchange> handler, Optional<TlsConfig> tls) {
        ConnectionCap cap = new ConnectionCap(connections);
        HttpServerOptions options =
                tls.map(given -> TlsOptions.on(options(), given)).orElseGet(ServerLimits::options);
        return vertx.createHttpServer(options)
                .connectionHandler(cap::admit)
                .invalidRequestHandler(request ->
                        new LastAnswer(vertx, request, Problem.malformed(request.decoderResult()), AFTER_MALFORMED))
                .requestHandler(request -> {
                    cap.heardFrom(request.connection());
                    RequestBody body = new RequestBody(vertx, request);
                    if (!body.isRefused()) {
                        handler.handle(new Exchange(vertx, request, body));
                    }
                });
    }

    private static HttpServerOptions options() {
        return new HttpServerOptions()
                // With h2c on, a socket that stays silent is never counted as a connection.
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxHeaderSize(HEADER_BYTES)
                .setMaxInitialLineLength(REQUEST_LINE_BYTES)
                .setCompressionSupported(false);
    }
}
