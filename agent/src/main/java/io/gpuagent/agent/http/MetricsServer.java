// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.exporters.PageFormat;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Serves Prometheus: {@code /metrics}, {@code /-/healthy} and {@code /-/ready}; GET and HEAD only. */
public final class MetricsServer {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String INDEX = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>gpu-agent</title></head>
            <body>
            <h1>gpu-agent</h1>
            <ul>
            <li><a href="/metrics">/metrics</a>: the figures of this node's GPUs, for Prometheus</li>
            <li><a href="/-/healthy">/-/healthy</a>: whether the agent answers</li>
            <li><a href="/-/ready">/-/ready</a>: whether its first poll is over</li>
            </ul>
            </body>
            </html>
            """;

    private final Vertx vertx;
    private final MetricsPages pages;
    private final AgentMeters meters;
    private final BooleanSupplier ready;
    private final HttpServer server;

    /**
     * A server that does not listen yet.
     *
     * @param vertx where it runs
     * @param pages what it serves
     * @param meters counts its requests
     * @param ready whether the first poll is over
     */
    public MetricsServer(Vertx vertx, MetricsPages pages, AgentMeters meters, BooleanSupplier ready) {
        this.vertx = vertx;
        this.pages = pages;
        this.meters = meters;
        this.ready = ready;
        this.server = ServerLimits.METRICS.server(vertx, this::handle);
    }

    /** Makes a page that nobody reads: the first one loads hundreds of classes, and Prometheus should not wait for that. */
    public void warmUp() {
        // Whether it succeeds does not matter here: a page that cannot be made is told to whoever asks for one.
        vertx.executeBlocking(() -> pages.page(PageFormat.PROMETHEUS_TEXT, true), false);
    }

    /**
     * Starts to listen.
     *
     * @param host address or name
     * @param port port; 0 takes a free one
     * @return the port it listens on
     */
    public Future<Integer> listen(String host, int port) {
        return server.listen(SocketAddress.inetSocketAddress(port, host)).map(HttpServer::actualPort);
    }

    private void handle(Exchange exchange) {
        meters.count("metrics", exchange.response());
        if (!exchange.readsOnly()) {
            return;
        }
        switch (exchange.path()) {
            case "/metrics" -> metrics(exchange);
            case "/-/healthy" -> exchange.send(200, TEXT, Buffer.buffer("healthy\n"));
            case "/-/ready" -> {
                boolean is = ready.getAsBoolean();
                exchange.send(is ? 200 : 503, TEXT, Buffer.buffer(is ? "ready\n" : "the first poll is not over\n"));
            }
            case "/" -> exchange.send(200, "text/html; charset=utf-8", Buffer.buffer(INDEX));
            default -> exchange.send(Problem.notFound(exchange.path()));
        }
    }

    private void metrics(Exchange exchange) {
        HttpServerRequest request = exchange.request();
        String asked;
        try {
            asked = request.getParam("format");
        } catch (IllegalArgumentException e) {
            exchange.send(Problem.badQuery());
            return;
        }
        if (asked != null && !asked.equals("native")) {
            exchange.send(Problem.unknownFormat(asked));
            return;
        }
        PageFormat format = PageFormat.negotiate(request.getHeader(HttpHeaders.ACCEPT));
        boolean gzip = acceptsGzip(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
        exchange.response().putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding");
        exchange.sendOnceMade(format.contentType(), () -> {
            Buffer page = pages.page(format, gzip);
            if (gzip) {
                exchange.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
            }
            return page;
        });
    }

    private static boolean acceptsGzip(@Nullable String header) {
        if (header == null) {
            return false;
        }
        for (String part : header.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] pieces = part.split(";", -1);
            if (pieces[0].trim().equals("gzip")) {
                return pieces.length == 1 || !pieces[1].replace(" ", "").matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
