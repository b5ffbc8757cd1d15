// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.layout.LayoutException;
import io.gpuagent.agent.mig.MigPlan;
import io.gpuagent.agent.mig.MigRefusedException;
import io.gpuagent.agent.mig.MigService;
import io.gpuagent.agent.mig.OperationJson;
import io.gpuagent.agent.mig.OperationView;
import io.gpuagent.agent.mig.PlanJson;
import io.gpuagent.agent.mig.StateJson;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code /v1/plans}, {@code /v1/operations}, {@code /v1/mig}, {@code /v1/gpus/ID/mig} and {@code /v1/layout}: whoever can open the socket
 * may read and plan; root and the agent's own user may change. Who uses an instance is asked for when somebody asks, on a
 * thread of its own kind and through the port, never by the pollers.
 */
final class MigApi {
    private static final String JSON = "application/json";
    private static final int MOST_AT_ONCE = 4;
    private static final int MOST_WAITING = 32;
    // The port has a deadline of its own; this only keeps Vert.x from warning of it.
    private static final long LONGEST_MINUTES = 2;

    private final Vertx vertx;
    private final MigService service;
    private final MigWishes wishes;
    private final ChangeRight right;
    private final WorkerExecutor workers;
    private final AtomicInteger running = new AtomicInteger();

    MigApi(Vertx vertx, MigService service, long ownUid) {
        this.vertx = vertx;
        this.service = service;
        this.wishes = new MigWishes(service);
        this.right = new ChangeRight(ownUid);
        this.workers = vertx.createSharedWorkerExecutor("mig", MOST_AT_ONCE, LONGEST_MINUTES, TimeUnit.MINUTES);
    }

    /** Whether a path is one of these. */
    static boolean owns(String path) {
        return path.equals("/v1/plans")
                || path.startsWith("/v1/plans/")
                || path.equals("/v1/operations")
                || path.startsWith("/v1/operations/")
                || path.equals("/v1/layout")
                || path.equals("/v1/mig")
                || (path.startsWith("/v1/gpus/") && path.contains("/mig"));
    }

    void handle(Exchange exchange) {
        List<String> parts;
        try {
            parts = parts(exchange.path());
        } catch (IllegalArgumentException e) {
            exchange.send(Problem.notFound(exchange.path()));
            return;
        }
        String kind = parts.getFirst();
        int count = parts.size();
        if (kind.equals("plans") && count == 1) {
            plan(exchange);
        } else if (kind.equals("plans") && count == 2) {
            read(exchange, _ -> PlanJson.document(service.plan(parts.get(1))));
        } else if (kind.equals("operations") && count == 1 && exchange.isPost()) {
            operate(exchange);
        } else if (kind.equals("operations") && count == 1) {
            if (exchange.mayRead("GET, HEAD, POST")) {
                answer(exchange, () -> Made.of(OperationJson.document(service.operations())));
            }
        } else if (kind.equals("operations") && count == 2) {
            operation(exchange, parts.get(1));
        } else if (kind.equals("layout") && count == 1) {
            read(exchange, reader -> StateJson.export(service.export(reader)));
        } else if (kind.equals("mig") && count == 1) {
            read(exchange, reader -> StateJson.layouts(service.states(reader), service.rules()));
        } else if (kind.equals("gpus") && count >= 3 && parts.get(2).equals("mig")) {
            gpu(exchange, parts);
        } else {
            exchange.send(Problem.notFound(exchange.path()));
        }
    }

    private static List<String> parts(String path) {
        return List.of(path.substring("/v1/".length()).split("/", -1)).stream()
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
    }

    private void gpu(Exchange exchange, List<String> parts) {
        String gpu = parts.get(1);
        String what = parts.size() == 4 ? parts.get(3) : parts.size() == 3 ? "" : "/";
        switch (what) {
            case "" -> read(exchange, reader -> StateJson.layout(service.state(gpu, reader), service.rules()));
            case "holders" -> read(exchange, reader -> StateJson.holders(service.state(gpu, reader), service.rules()));
            case "history" -> read(exchange, reader -> StateJson.history(service.state(gpu, reader)));
            default -> exchange.send(Problem.notFound(exchange.path()));
        }
    }

    private void operation(Exchange exchange, String id) {
        if (exchange.request().method().equals(HttpMethod.DELETE)) {
            if (changer(exchange).isPresent()) {
                answer(exchange, () -> new Made(202, OperationJson.document(service.cancel(id)), Optional.empty()));
            }
        } else if (exchange.mayRead("GET, HEAD, DELETE")) {
            answer(exchange, () -> Made.of(OperationJson.document(service.operation(id))));
        }
    }

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param document the body
     * @param location where to look for what comes of it
     */
    private record Made(int status, JsonValue document, Optional<String> location) {
        static Made of(JsonValue document) {
            return new Made(200, document, Optional.empty());
        }
    }

    /** Makes an answer; blocks. */
    private interface Maker {
        Made make() throws ProblemException, MigRefusedException, LayoutException;
    }

    /** Makes a document; blocks. */
    private interface Reading {
        JsonValue of(Requester reader) throws MigRefusedException;
    }

    private void read(Exchange exchange, Reading reading) {
        if (exchange.readsOnly()) {
            Requester reader = reader(exchange);
            answer(exchange, () -> Made.of(reading.of(reader)));
        }
    }

    private void plan(Exchange exchange) {
        if (!exchange.isPost()) {
            exchange.refuseMethod("POST");
            return;
        }
        Requester reader = reader(exchange);
        withBody(exchange, body -> {
            MigPlan plan = wishes.plan(body, reader);
            return new Made(201, PlanJson.document(plan), Optional.of("/v1/plans/" + plan.id()));
        });
    }

    private void operate(Exchange exchange) {
        changer(exchange)
                .ifPresent(requester -> withBody(exchange, body -> {
                    OperationView begun = wishes.begin(body, requester);
                    return new Made(202, OperationJson.document(begun), Optional.of("/v1/operations/" + begun.id()));
                }));
    }

    /** Whoever asks, for the audit log; one who may not change has been answered. */
    private Optional<Requester> changer(Exchange exchange) {
        try {
            return Optional.of(right.of(PeerUser.of(exchange.request())));
        } catch (ProblemException e) {
            exchange.send(e.problem());
            return Optional.empty();
        }
    }

    private static Requester reader(Exchange exchange) {
        return PeerUser.of(exchange.request())
                .map(peer -> new Requester(Long.toString(peer.uid()), Optional.of(peer.uid()), Optional.of(peer.pid())))
                .orElseGet(() -> new Requester("unknown", Optional.empty(), Optional.empty()));
    }

    /** Makes an answer out of a body; blocks. */
    private interface BodyMaker {
        Made make(ChangeBody body) throws ProblemException, MigRefusedException, LayoutException;
    }

    private void withBody(Exchange exchange, BodyMaker maker) {
        if (enter(exchange)) {
            ProgressHints hints = new ProgressHints(vertx, exchange.response());
            exchange.request()
                    .body()
                    .compose(body -> workers.executeBlocking(
                            () -> guarded(() -> maker.make(ChangeBody.read(body.getBytes()))), false))
                    .onComplete(made -> end(exchange, hints, made), failure -> end(exchange, hints, failure));
        }
    }

    private void answer(Exchange exchange, Maker maker) {
        if (enter(exchange)) {
            ProgressHints hints = new ProgressHints(vertx, exchange.response());
            workers.executeBlocking(() -> guarded(maker), false)
                    .onComplete(made -> end(exchange, hints, made), failure -> end(exchange, hints, failure));
        }
    }

    private boolean enter(Exchange exchange) {
        if (running.incrementAndGet() <= MOST_WAITING) {
            return true;
        }
        running.decrementAndGet();
        exchange.send(ChangeProblems.of(
                        RefusalCode.BUSY, "there are " + MOST_WAITING + " requests about MIG in flight; try again")
                .problem());
        return false;
    }

    private static Made guarded(Maker maker) throws ProblemException {
        try {
            return maker.make();
        } catch (MigRefusedException e) {
            throw ChangeProblems.of(e.code(), e.sentence());
        } catch (LayoutException e) {
            throw new ProblemException(new Problem(
                    400, "bad_layout", "The layout cannot be meant", String.valueOf(e.getMessage()), e.problems()));
        }
    }

    private void end(Exchange exchange, ProgressHints hints, Made made) {
        running.decrementAndGet();
        hints.end();
        made.location().ifPresent(at -> exchange.response().putHeader(HttpHeaders.LOCATION, at));
        exchange.send(made.status(), JSON, Buffer.buffer(PrettyJson.write(made.document())));
    }

    private void end(Exchange exchange, ProgressHints hints, Throwable failure) {
        running.decrementAndGet();
        hints.end();
        exchange.sendFailure(failure);
    }
}
