// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.HealthJson;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.health.HealthWatch;
import io.gpuagent.model.health.HealthEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.function.Supplier;

/**
 * Server-sent events (WHATWG HTML, section 9.2) to those who follow. A reader that is slow is sent nothing more until it
 * has taken what it was sent; what it misses beyond the events that are kept is gone, and the numbers show it.
 */
final class EventStreams {
    /** Places beside those for everybody else. */
    static final int MOST = 16;

    private static final long LOOK_MILLIS = 200;
    /** So often something is sent at least, that a connection which is gone shows; in looks. */
    private static final int ALIVE_LOOKS = 50;

    private final Vertx vertx;
    private final HealthWatch health;
    private final Supplier<HealthJson> json;
    private int open;

    EventStreams(Vertx vertx, HealthWatch health, Supplier<HealthJson> json) {
        this.vertx = vertx;
        this.health = health;
        this.json = json;
    }

    /** Follows from behind an event; on the event loop. */
    void open(Exchange exchange, long since) {
        if (open >= MOST) {
            exchange.send(Problem.tooManyFollowers(MOST));
            return;
        }
        HttpServerResponse response = exchange.response();
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            response.end();
            return;
        }
        open++;
        Follower follower = new Follower(response, since);
        response.write(": follows\n\n");
        long timer = vertx.setPeriodic(LOOK_MILLIS, tick -> follower.look());
        response.closeHandler(gone -> {
            open--;
            vertx.cancelTimer(timer);
        });
    }

    /** One who follows; on the event loop. */
    private final class Follower {
        private final HttpServerResponse response;
        private long last;
        private int quiet;

        Follower(HttpServerResponse response, long since) {
            this.response = response;
            this.last = since;
        }

        void look() {
            if (response.closed() || response.writeQueueFull()) {
                return;
            }
            List<HealthEvent> events = health.events(last);
            if (events.isEmpty()) {
                if (++quiet >= ALIVE_LOOKS) {
                    quiet = 0;
                    response.write(": alive\n\n");
                }
                return;
            }
            quiet = 0;
            StringBuilder text = new StringBuilder();
            for (HealthEvent event : events) {
                text.append("id: ")
                        .append(event.number())
                        .append("\nevent: ")
                        .append(event.kind().label());
                PrettyJson.write(json.get().event(event))
                        .lines()
                        .forEach(line -> text.append("\ndata: ").append(line));
                text.append("\n\n");
                last = event.number();
            }
            response.write(text.toString());
        }
    }
}
