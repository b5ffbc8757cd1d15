// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.MetricsFormat;
import io.gpuagent.exporters.PageFormat;
import io.gpuagent.model.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Serves Prometheus: {@code /metrics}, {@code /-/healthy} and {@code /-/ready}; GET and HEAD only. */
public final class MetricsServer {
    private static final System.Logger LOG = System.getLogger(MetricsServer.class.getName());
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

    // As many as dcgm-exporter and node_exporter allow; each is a page that waits to be made or read.
    private static final int MOST_SCRAPES = 40;
    private static final long LOOK_MILLIS = 1000;

    private final Vertx vertx;
    private final MetricsPages pages;
    private final MetricsFormat usual;
    private final WebConfigSource access;
    private final WebGate gate;
    private final AgentMeters meters;
    private final BooleanSupplier ready;
    private final HttpServer server;
    private final AtomicInteger scrapes = new AtomicInteger();

    /**
     * A server that does not listen yet.
     *
     * @param vertx where it runs
     * @param pages what it serves
     * @param usual the names of the page for whoever does not choose
     * @param access who is let in, and whether over TLS
     * @param meters counts its requests
     * @param ready whether the first poll is over
     * @param clock measures how often somebody comes
     */
    public MetricsServer(
            Vertx vertx,
            MetricsPages pages,
            MetricsFormat usual,
            WebConfigSource access,
            AgentMeters meters,
            BooleanSupplier ready,
            Clock clock) {
        this.vertx = vertx;
        this.pages = pages;
        this.usual = usual;
        this.access = access;
        this.gate = new WebGate(vertx, access, clock);
        this.meters = meters;
        this.ready = ready;
        this.server =
                ServerLimits.METRICS.server(vertx, this::handle, access.get().tls());
    }

    /** Makes a page that nobody reads: the first one loads hundreds of classes, and Prometheus should not wait for that. */
    public void warmUp() {
        // Whether it succeeds does not matter here: a page that cannot be made is told to whoever asks for one.
        vertx.executeBlocking(() -> pages.page(usual, PageFormat.PROMETHEUS_TEXT, true), false);
    }

    /**
     * Starts to listen.
     *
     * @param host address or name
     * @param port port; 0 takes a free one
     * @return the port it listens on
     */
    public Future<Integer> listen(String host, int port) {
        if (access.follows()) {
            vertx.setPeriodic(LOOK_MILLIS, tick -> follow());
        }
        return server.listen(SocketAddress.inetSocketAddress(port, host)).map(HttpServer::actualPort);
    }

    /** Connections that are there keep their keys; those that come get the new ones. */
    private void follow() {
        vertx.executeBlocking(access::refresh, false).onSuccess(changed -> {
            if (Boolean.TRUE.equals(changed)) {
                access.get()
                        .tls()
                        .ifPresent(tls -> server.updateSSLOptions(TlsOptions.of(tls), true)
                                .onFailure(e -> LOG.log(
                                        System.Logger.Level.ERROR,
                                        "the new certificate cannot be used; restart the agent",
                                        e)));
            }
        });
    }

    private void handle(Exchange exchange) {
        meters.count("metrics", exchange.response());
        gate.admit(exchange, () -> answer(exchange));
    }

    private void answer(Exchange exchange) {
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
        MetricsFormat names;
        try {
            names = asked == null ? usual : MetricsFormat.parse(asked);
        } catch (BadValueException e) {
            exchange.send(Problem.unknownFormat(String.valueOf(asked)));
            return;
        }
        if (scrapes.incrementAndGet() > MOST_SCRAPES) {
            scrapes.decrementAndGet();
            exchange.sendLater(Problem.tooManyScrapes());
            return;
        }
        serve(exchange, names).onComplete(over -> scrapes.decrementAndGet());
    }

    /** Completes once the client has the page, or has gone. */
    private Future<Void> serve(Exchange exchange, MetricsFormat names) {
        HttpServerRequest request = exchange.request();
        // The counters of DCGM have no _total, which OpenMetrics wants.
        PageFormat format = names == MetricsFormat.DCGM
                ? PageFormat.PROMETHEUS_TEXT
                : PageFormat.negotiate(request.getHeader(HttpHeaders.ACCEPT));
        boolean gzip = acceptsGzip(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
        Future<Buffer> page = exchange.make(() -> pages.page(names, format, gzip));
        return ScrapeTimeout.of(request)
                .map(patience -> page.timeout(patience.toMillis(), TimeUnit.MILLISECONDS))
                .orElse(page)
                .recover(late -> Future.failedFuture(
                        late instanceof TimeoutException ? new ProblemException(Problem.tooSlow()) : late))
                .onFailure(exchange::sendFailure)
                .compose(made -> {
                    exchange.response().putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding");
                    if (gzip) {
                        exchange.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
                    }
                    return exchange.send(200, format.contentType(), made);
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
