// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.HealthJson;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.health.HealthWatch;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.Incident;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code /v1/health}, {@code /v1/incidents} and {@code /v1/events}: whoever can open the socket may read; root and the
 * agent's own user may answer for an incident.
 */
final class HealthApi {
    private static final String JSON = "application/json";
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String HEALTH = "/v1/health";
    private static final String EVENTS = "/v1/events";
    private static final String INCIDENTS = "/v1/incidents";
    private static final String ACK = "/ack";
    private static final int LONGEST_WHY = 500;

    private final Vertx vertx;
    private final HealthWatch health;
    private final Supplier<NodeSnapshot> snapshots;
    private final ChangeRight right;
    private final EventStreams streams;

    HealthApi(Vertx vertx, HealthWatch health, Supplier<NodeSnapshot> snapshots, long ownUid) {
        this.vertx = vertx;
        this.health = health;
        this.snapshots = snapshots;
        this.right = new ChangeRight(ownUid);
        this.streams = new EventStreams(vertx, health, this::json);
    }

    /** Whether a path is one of these. */
    static boolean isFor(String path) {
        return path.equals(HEALTH) || path.equals(EVENTS) || path.equals(INCIDENTS) || path.startsWith(INCIDENTS + "/");
    }

    void handle(Exchange exchange) {
        String path = exchange.path();
        if (path.equals(HEALTH)) {
            read(exchange, () -> {
                Query.of(exchange.request());
                return json().node(health.view());
            });
        } else if (path.equals(INCIDENTS)) {
            read(exchange, () -> json().incidents(incidents(Query.of(exchange.request(), "open"))));
        } else if (path.equals(EVENTS)) {
            events(exchange);
        } else {
            incident(exchange, path.substring(INCIDENTS.length() + 1));
        }
    }

    private void incident(Exchange exchange, String name) {
        if (name.endsWith(ACK)) {
            acknowledge(exchange, name.substring(0, name.length() - ACK.length()));
        } else {
            read(exchange, () -> {
                Query.of(exchange.request());
                return json().incidents(List.of(known(name)));
            });
        }
    }

    private HealthJson json() {
        return new HealthJson(
                snapshots.get().gpus().stream().map(GpuSnapshot::identity).toList());
    }

    private static void read(Exchange exchange, Callable<JsonValue> document) {
        if (exchange.readsOnly()) {
            exchange.sendOnceMade(JSON, () -> Buffer.buffer(PrettyJson.write(document.call())));
        }
    }

    private List<Incident> incidents(Query query) throws ProblemException {
        Optional<Boolean> open = query.value("open", truth("open"));
        return health.view().incidents().stream()
                .filter(incident -> open.isEmpty() || incident.isOpen() == open.get())
                .toList();
    }

    private static Function<String, Boolean> truth(String name) {
        return text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " must be true or false");
        };
    }

    private Incident known(String id) throws ProblemException {
        return health.view().incidents().stream()
                .filter(incident -> incident.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ProblemException(Problem.noIncident(id)));
    }

    private void events(Exchange exchange) {
        if (!exchange.readsOnly()) {
            return;
        }
        long since;
        boolean follows;
        try {
            Query query = Query.of(exchange.request(), "since", "follow");
            follows = query.value("follow", truth("follow")).orElse(false) || wantsStream(exchange);
            // A reader that comes back names the last event that it had (WHATWG HTML, section 9.2.4).
            Optional<String> had = Optional.ofNullable(exchange.request().getHeader("Last-Event-ID"))
                    .filter(id -> id.matches("[0-9]{1,18}"));
            long asked = query.value("since", HealthApi::number).orElse(0L);
            since = follows ? had.map(Long::valueOf).orElse(asked) : asked;
        } catch (ProblemException e) {
            exchange.send(e.problem());
            return;
        }
        if (follows) {
            streams.open(exchange, since);
        } else {
            exchange.sendOnceMade(JSON, () -> {
                List<HealthEvent> events = health.events(since);
                long last = events.isEmpty()
                        ? Math.max(since, health.lastEvent())
                        : events.getLast().number();
                return Buffer.buffer(PrettyJson.write(json().events(events, last)));
            });
        }
    }

    private static boolean wantsStream(Exchange exchange) {
        String accept = exchange.request().getHeader("Accept");
        return accept != null && accept.strip().equals(EVENT_STREAM);
    }

    private static Long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("since must be the number of an event, such as 17");
        }
        return Long.valueOf(text);
    }

    private void acknowledge(Exchange exchange, String id) {
        if (!exchange.isPost()) {
            exchange.refuseMethod("POST");
            return;
        }
        Requester requester;
        try {
            requester = right.of(PeerUser.of(exchange.request()));
            JsonContent.check(exchange.request());
        } catch (ProblemException e) {
            exchange.send(e.problem());
            return;
        }
        exchange.body()
                .whole()
                .compose(body -> vertx.executeBlocking(
                        () -> Buffer.buffer(PrettyJson.write(
                                json().incidents(List.of(acknowledged(id, body.getBytes(), requester))))),
                        false))
                .onComplete(made -> exchange.send(200, JSON, made), exchange::sendFailure);
    }

    private Incident acknowledged(String id, byte[] body, Requester requester)
            throws ProblemException, InterruptedException {
        ChangeBody asked = ChangeBody.read(body);
        String why = asked.text("why").map(String::strip).orElse("");
        asked.finish();
        if (why.isEmpty() || why.length() > LONGEST_WHY) {
            throw ChangeProblems.badRequest("the member why must say why, in 1 to " + LONGEST_WHY
                    + " characters: whoever comes after you reads it");
        }
        if (!known(id).isOpen()) {
            throw ChangeProblems.of(
                    RefusalCode.IN_USE, "the incident " + id + " is over already; there is nothing to answer for");
        }
        return health.acknowledge(id, "uid " + requester.user(), why)
                .orElseThrow(() -> new ProblemException(Problem.noIncident(id)));
    }
}
