// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.WebConfig;
import io.gpuagent.model.time.Clock;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.function.Supplier;

/** Lets a request in, or not: headers that each response has, the limit of requests, users and passwords. */
final class WebGate {
    private final Supplier<WebConfig> config;
    private final Clock clock;
    private final PasswordCheck passwords;
    // Made anew when the limit changes.
    private Optional<WebConfig.RateLimit> limit = Optional.empty();
    private Optional<TokenBucket> bucket = Optional.empty();

    WebGate(Vertx vertx, Supplier<WebConfig> config, Clock clock) {
        this(config, clock, new PasswordCheck(vertx, clock));
    }

    WebGate(Supplier<WebConfig> config, Clock clock, PasswordCheck passwords) {
        this.config = config;
        this.clock = clock;
        this.passwords = passwords;
    }

    /**
     * Lets a request in or answers it.
     *
     * @param exchange the request
     * @param inside what answers it once it is in
     */
    void admit(Exchange exchange, Runnable inside) {
        WebConfig now = config.get();
        now.headers().forEach(exchange.response()::putHeader);
        if (!withinLimit(now.rateLimit())) {
            exchange.sendLater(Problem.tooManyRequests());
        } else if (now.users().isEmpty()) {
            inside.run();
        } else {
            Credentials.of(exchange.request().getHeader(HttpHeaders.AUTHORIZATION))
                    .ifPresentOrElse(given -> check(now, given, exchange, inside), () -> refuse(exchange));
        }
    }

    private void check(WebConfig now, Credentials given, Exchange exchange, Runnable inside) {
        passwords
                .check(now.users(), given, address(exchange.request()))
                .onSuccess(verdict -> {
                    switch (verdict) {
                        case RIGHT -> inside.run();
                        case WRONG -> refuse(exchange);
                        case BUSY -> exchange.sendLater(Problem.tooManyPasswords());
                    }
                })
                .onFailure(exchange::sendFailure);
    }

    private static void refuse(Exchange exchange) {
        exchange.response().putHeader("WWW-Authenticate", "Basic realm=\"gpu-agent\", charset=\"UTF-8\"");
        exchange.send(Problem.unauthorized());
    }

    private static String address(HttpServerRequest request) {
        SocketAddress remote = request.remoteAddress();
        return remote == null ? "" : String.valueOf(remote.hostAddress());
    }

    private synchronized boolean withinLimit(Optional<WebConfig.RateLimit> wanted) {
        if (!wanted.equals(limit)) {
            limit = wanted;
            bucket = wanted.map(it -> new TokenBucket(clock, it.interval(), it.burst()));
        }
        return bucket.map(TokenBucket::take).orElse(true);
    }
}
