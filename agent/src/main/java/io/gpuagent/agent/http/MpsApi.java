// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.MpsChangeJson;
import io.gpuagent.agent.api.json.MpsJson;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.control.Answer;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.Effect;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code /v1/mps/...}: whoever can open the socket may read; root and the agent's own user may change. A change runs on
 * a thread of its own kind, so that neither the event loop nor a page waits for it.
 */
final class MpsApi {
    static final String ROOT = "/v1/mps/";

    private static final String JSON = "application/json";
    private static final String DAEMONS = "daemons";
    private static final Set<String> CHANGES = Set.of("stop", "set", "terminate-client", "resume");
    private static final int MOST_AT_ONCE = 8;
    // The port has a deadline of its own; this only keeps Vert.x from warning of it.
    private static final long LONGEST_HOURS = 1;

    private final Vertx vertx;
    private final MpsService service;
    private final MpsChanges changes;
    private final MpsEnvironments environments;
    private final ChangeRight right;
    private final WorkerExecutor workers;
    private final AtomicInteger running = new AtomicInteger();

    MpsApi(Vertx vertx, MpsService service, Duration drain, long ownUid) {
        this.vertx = vertx;
        this.service = service;
        this.changes = new MpsChanges(service, drain);
        this.environments = new MpsEnvironments(service, changes);
        this.right = new ChangeRight(ownUid);
        this.workers = vertx.createSharedWorkerExecutor("mps-change", MOST_AT_ONCE, LONGEST_HOURS, TimeUnit.HOURS);
    }

    void handle(Exchange exchange) {
        String[] parts;
        try {
            parts = parts(exchange.path());
        } catch (IllegalArgumentException e) {
            exchange.send(Problem.notFound(exchange.path()));
            return;
        }
        boolean daemons = parts[0].equals(DAEMONS);
        if (daemons && parts.length == 1) {
            if (exchange.isPost()) {
                change(exchange, changes::start);
            } else {
                read(exchange, "GET, HEAD, POST", () -> json().node(service.view()));
            }
        } else if (daemons && parts.length == 2) {
            read(exchange, "GET, HEAD", () -> json().daemon(changes.daemon(parts[1])));
        } else if (daemons && parts.length == 3 && parts[2].equals("clients")) {
            read(exchange, "GET, HEAD", () -> json().clients(changes.daemon(parts[1])));
        } else if (daemons && parts.length == 3 && CHANGES.contains(parts[2])) {
            if (exchange.isPost()) {
                change(exchange, body -> changes.change(parts[1], parts[2], body));
            } else {
                exchange.refuseMethod("POST");
            }
        } else if (parts.length == 1 && parts[0].equals("env")) {
            environment(exchange);
        } else {
            exchange.send(Problem.notFound(exchange.path()));
        }
    }

    private static String[] parts(String path) {
        String[] parts = path.substring(ROOT.length()).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = URLDecoder.decode(parts[i].replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        return parts;
    }

    private MpsJson json() {
        return new MpsJson(
                service.node().gpus().stream().map(GpuSnapshot::identity).toList());
    }

    private static void read(Exchange exchange, String allow, Callable<JsonValue> document) {
        if (!exchange.mayRead(allow)) {
            return;
        }
        try {
            Query.of(exchange.request());
        } catch (ProblemException e) {
            exchange.send(e.problem());
            return;
        }
        exchange.sendOnceMade(JSON, () -> Buffer.buffer(PrettyJson.write(document.call())));
    }

    private void environment(Exchange exchange) {
        if (exchange.mayRead("GET, HEAD")) {
            exchange.sendOnceMade(
                    JSON, () -> Buffer.buffer(PrettyJson.write(environments.document(exchange.request()))));
        }
    }

    /** What a body asks for. */
    private interface Reader {
        MpsChanges.Asked read(ChangeBody body) throws ProblemException;
    }

    private void change(Exchange exchange, Reader reader) {
        Requester requester;
        try {
            requester = right.of(PeerUser.of(exchange.request()));
            Query.of(exchange.request());
            JsonContent.check(exchange.request());
        } catch (ProblemException e) {
            exchange.send(e.problem());
            return;
        }
        exchange.body()
                .whole()
                .compose(body -> carryOut(exchange, reader, body, requester))
                .onComplete(made -> exchange.send(200, JSON, made), exchange::sendFailure);
    }

    /** One that is slow to say what it wants takes no place from others: it counts from here on. */
    private Future<Buffer> carryOut(Exchange exchange, Reader reader, Buffer body, Requester requester) {
        if (running.incrementAndGet() > MOST_AT_ONCE) {
            running.decrementAndGet();
            return Future.failedFuture(ChangeProblems.of(
                    RefusalCode.BUSY, "there are " + MOST_AT_ONCE + " changes in flight; wait for one of them"));
        }
        ProgressHints hints = new ProgressHints(vertx, exchange.response());
        return workers.executeBlocking(
                        () -> Buffer.buffer(PrettyJson.write(carryOut(reader, body.getBytes(), requester, hints))),
                        false)
                .map(Objects::requireNonNull)
                .eventually(() -> {
                    running.decrementAndGet();
                    hints.end();
                    return Future.succeededFuture();
                });
    }

    private JsonValue carryOut(Reader reader, byte[] body, Requester requester, ProgressHints hints)
            throws ProblemException {
        MpsChanges.Asked asked = reader.read(ChangeBody.read(body));
        Effect effect;
        try {
            effect = service.plan(asked.request());
        } catch (ChangeRefused e) {
            throw ChangeProblems.of(e);
        }
        if (asked.dryRun()) {
            return MpsChangeJson.plan(asked.daemon(), effect);
        }
        return switch (service.perform(asked.request(), requester, hints::progress)) {
            case Answer.Done(Outcome.Changed(String before, String after, List<String> lines)) ->
                MpsChangeJson.done(asked.daemon(), effect, before, after, lines);
            case Answer.Done(var other) -> throw new IllegalStateException("a change answered " + other);
            case Answer.Refused(var code, var sentence) -> throw ChangeProblems.of(code, sentence);
        };
    }
}
