// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.poll.NotReleasedException;
import io.gpuagent.agent.poll.TimedRelease;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mps.MpsDaemonView;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** {@code /v1/release}: has the agent let go of NVML for a while. Nobody else is stopped; those who hold a GPU are named. */
final class ReleaseApi {
    static final String PATH = "/v1/release";

    private static final String JSON = "application/json";
    private static final int LONGEST_WHY = 500;
    private static final String ALLOWED = "GET, HEAD, POST, DELETE";

    private final Vertx vertx;
    private final TimedRelease release;
    private final Supplier<NodeSnapshot> snapshots;
    private final Optional<MpsService> mps;
    private final ChangeRight right;

    ReleaseApi(
            Vertx vertx,
            TimedRelease release,
            Supplier<NodeSnapshot> snapshots,
            Optional<MpsService> mps,
            long ownUid) {
        this.vertx = vertx;
        this.release = release;
        this.snapshots = snapshots;
        this.mps = mps;
        this.right = new ChangeRight(ownUid);
    }

    void handle(Exchange exchange) {
        HttpMethod method = exchange.request().method();
        if (method.equals(HttpMethod.POST)) {
            change(exchange, this::letGo);
        } else if (method.equals(HttpMethod.DELETE)) {
            change(exchange, (body, requester) -> resume());
        } else if (exchange.mayRead(ALLOWED)) {
            exchange.sendOnceMade(
                    JSON,
                    () -> written(() -> {
                        Query.of(exchange.request());
                        return state(List.of());
                    }));
        }
    }

    /** A change by whoever asks. */
    private interface Change {
        JsonObject make(byte[] body, Requester requester) throws ProblemException;
    }

    private void change(Exchange exchange, Change change) {
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
                .compose(body ->
                        vertx.executeBlocking(() -> written(() -> change.make(body.getBytes(), requester)), false))
                .onComplete(made -> exchange.send(200, JSON, made), exchange::sendFailure);
    }

    private static Buffer written(Callable<JsonObject> document) throws Exception {
        return Buffer.buffer(PrettyJson.write(document.call()));
    }

    private JsonObject letGo(byte[] body, Requester requester) throws ProblemException {
        ChangeBody asked = ChangeBody.read(body);
        long seconds = asked.whole("seconds").orElseThrow(ReleaseApi::wrongTime);
        String why = asked.text("why").orElse("");
        asked.finish();
        if (seconds < 1 || seconds > TimedRelease.LONGEST.toSeconds()) {
            throw wrongTime();
        }
        if (why.length() > LONGEST_WHY) {
            throw ChangeProblems.badRequest("the member why may have " + LONGEST_WHY + " characters");
        }
        List<String> keep = whoElse(snapshots.get());
        try {
            release.ask(
                    Duration.ofSeconds(seconds),
                    "asked by uid " + requester.user() + (why.isEmpty() ? "" : ": " + why));
        } catch (NotReleasedException e) {
            throw ChangeProblems.of(RefusalCode.NOT_QUIESCED, String.valueOf(e.getMessage()));
        }
        return state(keep);
    }

    private static ProblemException wrongTime() {
        return ChangeProblems.badRequest("the member seconds must be 1 to " + TimedRelease.LONGEST.toSeconds());
    }

    private JsonObject resume() throws ProblemException {
        if (!release.resume()) {
            throw ChangeProblems.of(RefusalCode.NOT_FOUND, "NVML is not let go of; there is nothing to take up again");
        }
        return state(List.of());
    }

    private JsonObject state(List<String> keep) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        Optional<TimedRelease.State> now = release.state();
        members.put("released", new JsonTruth(now.isPresent()));
        now.ifPresent(state -> {
            members.put("until", new JsonText(state.until().toString()));
            members.put("why", new JsonText(state.why()));
            members.put(
                    "others",
                    new JsonArray(keep.stream().<JsonValue>map(JsonText::new).toList()));
        });
        return new JsonObject(members);
    }

    /** Who keeps GPUs all the same, as far as is known. */
    private List<String> whoElse(NodeSnapshot node) {
        List<String> others = new ArrayList<>();
        mps.ifPresent(service -> service.view().daemons().stream()
                .filter(daemon -> daemon.pid().isPresent())
                .map(ReleaseApi::sentence)
                .forEach(others::add));
        TreeSet<Integer> pids = new TreeSet<>();
        node.gpus().forEach(gpu -> {
            for (ProcessType type : ProcessType.values()) {
                gpu.readings().value(ReadingKeys.processes(type)).orElse(List.of()).stream()
                        .map(GpuProcess::pid)
                        .forEach(pids::add);
            }
        });
        pids.forEach(pid -> others.add("process " + pid + " uses a GPU"));
        return others;
    }

    private static String sentence(MpsDaemonView daemon) {
        return "the MPS daemon " + daemon.id() + " holds its GPUs, with "
                + daemon.clients().size() + " clients";
    }
}
