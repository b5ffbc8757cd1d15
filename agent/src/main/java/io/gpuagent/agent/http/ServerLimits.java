// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a server grants its clients, so that slow, silent and greedy ones cost the others nothing.
 *
 * @param connections how many may be open at once; one more is closed at once
 */
record ServerLimits(int connections) {
    static final ServerLimits METRICS = new ServerLimits(64);
    static final ServerLimits API = new ServerLimits(128);

    private static final int IDLE_SECONDS = 15;
    private static final int HEADER_BYTES = 8 * 1024;
    private static final int REQUEST_LINE_BYTES = 4 * 1024;

    /** A server that grants its clients this much. */
    HttpServer server(Vertx vertx) {
        return vertx.createHttpServer(options()).connectionHandler(new Cap(connections)::admit);
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

    /** Counts connections and closes those over the cap. */
    private static final class Cap {
        private final int most;
        private final AtomicInteger open = new AtomicInteger();

        Cap(int most) {
            this.most = most;
        }

        void admit(HttpConnection connection) {
            connection.closeHandler(closed -> open.decrementAndGet());
            if (open.incrementAndGet() > most) {
                connection.close();
            }
        }
    }
}
