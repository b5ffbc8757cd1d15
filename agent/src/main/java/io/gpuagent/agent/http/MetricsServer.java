// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.exporters.PageFormat;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.Locale;
import java.util.function.BooleanSupplier;

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
        ServerLimits.Cap cap = new ServerLimits.Cap(ServerLimits.METRICS);
        this.server = vertx.createHttpServer(ServerLimits.METRICS.options())
                .connectionHandler(cap::admit)
                .requestHandler(this::handle);
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
        response.endHandler(ended -> meters.count("metrics", response.getStatusCode()));
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            Problem.method(request.method().name(), request.path()).send(response);
            return;
        }
        switch (request.path()) {
            case "/metrics" -> metrics(request);
            case "/-/healthy" -> send(request, 200, TEXT, Buffer.buffer("healthy\n"));
            case "/-/ready" -> {
                boolean is = ready.getAsBoolean();
                send(request, is ? 200 : 503, TEXT, Buffer.buffer(is ? "ready\n" : "the first poll is not over\n"));
            }
            case "/" -> send(request, 200, "text/html; charset=utf-8", Buffer.buffer(INDEX));
            case null, default -> Problem.notFound(request.path()).send(response);
        }
    }

    private void metrics(HttpServerRequest request) {
        String format = request.getParam("format");
        if (format != null && !format.equals("native")) {
            new Problem(
                            400,
                            "unknown_format",
                            "Unknown page format",
                            "there is no page format \"" + format + "\"; the only one is native")
                    .send(request.response());
            return;
        }
        PageFormat written = PageFormat.negotiate(request.getHeader(HttpHeaders.ACCEPT));
        boolean gzip = acceptsGzip(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
        // Rendering takes milliseconds: on a worker thread, so that the event loop goes on answering.
        vertx.executeBlocking(() -> pages.page(written, gzip), false)
                .onSuccess(page -> {
                    if (gzip) {
                        request.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
                    }
                    request.response().putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding");
                    send(request, 200, written.contentType(), Buffer.buffer(page));
                })
                .onFailure(failure -> {
                    System.getLogger(MetricsServer.class.getName())
                            .log(System.Logger.Level.ERROR, "the metrics page could not be made", failure);
                    Problem.internal().send(request.response());
                });
    }

    private static boolean acceptsGzip(String header) {
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

    static void send(HttpServerRequest request, int status, String type, Buffer body) {
        HttpServerResponse response = request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        if (request.method().equals(HttpMethod.HEAD)) {
            response.end();
        } else {
            response.end(body);
        }
    }
}
