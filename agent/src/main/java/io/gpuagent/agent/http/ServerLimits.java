// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.TlsConfig;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a server grants its clients, so that slow, silent and greedy ones cost the others nothing.
 *
 * @param connections how many may be open at once; one more costs the one its place that has been silent longest
 */
record ServerLimits(int connections) {
    static final ServerLimits METRICS = new ServerLimits(64);
    static final ServerLimits API = new ServerLimits(128);

    private static final int IDLE_SECONDS = 15;
    private static final int HEADER_BYTES = 8 * 1024;
    private static final int REQUEST_LINE_BYTES = 4 * 1024;
    private static final long BODY_BYTES = 256 * 1024;

    /** A server that grants its clients this much and answers by this handler. */
    HttpServer server(Vertx vertx, Handler<HttpServerRequest> handler) {
        return server(vertx, handler, Optional.empty());
    }

    /** The same, over TLS where it is given. */
    HttpServer server(Vertx vertx, Handler<HttpServerRequest> handler, Optional<TlsConfig> tls) {
        ConnectionCap cap = new ConnectionCap(connections);
        HttpServerOptions options =
                tls.map(given -> TlsOptions.on(options(), given)).orElseGet(ServerLimits::options);
        return vertx.createHttpServer(options).connectionHandler(cap::admit).requestHandler(request -> {
            cap.heardFrom(request.connection());
            request.handler(new BodyLimit(request)).exceptionHandler(gone -> {});
            handler.handle(request);
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

    /** One that sends more than a body may have is cut off. */
    private static final class BodyLimit implements Handler<Buffer> {
        private final HttpServerRequest request;
        private long received;

        BodyLimit(HttpServerRequest request) {
            this.request = request;
        }

        @Override
        public void handle(Buffer part) {
            received += part.length();
            if (received > BODY_BYTES) {
                request.connection().close();
            }
        }
    }
}
