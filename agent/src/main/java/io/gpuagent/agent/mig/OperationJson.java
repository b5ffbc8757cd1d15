// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.api.json.JsonMembers;
import io.gpuagent.agent.api.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Writes operations; {@code docs/api/mig.md} describes the shape. */
public final class OperationJson {
    private OperationJson() {}

    /**
     * An operation.
     *
     * @param operation the operation
     * @return the document
     */
    public static JsonValue document(OperationView operation) {
        return new JsonMembers()
                .put("version", PlanJson.VERSION)
                .put("operation", operation(operation))
                .object();
    }

    /**
     * Several.
     *
     * @param operations the operations
     * @return the document
     */
    public static JsonValue document(List<OperationView> operations) {
        return new JsonMembers()
                .put("version", PlanJson.VERSION)
                .list("operations", operations, OperationJson::operation)
                .object();
    }

    private static JsonValue operation(OperationView operation) {
        return new JsonMembers()
                .put("id", operation.id())
                .put("kind", operation.kind().label())
                .text("plan", operation.plan())
                .put("user", operation.user())
                .put("state", operation.state().label())
                .put(
                        "cancelling",
                        operation.isCancelling() && !operation.state().isEnd())
                .text("sentence", Optional.of(operation.sentence()).filter(text -> !text.isEmpty()))
                .put("created_at", operation.createdAt())
                .time("started_at", operation.startedAt())
                .time("ended_at", operation.endedAt())
                .list("gpus", operation.gpus(), OperationJson::gpu)
                .object();
    }

    private static JsonValue gpu(OperationView.OnGpu gpu) {
        return new JsonMembers()
                .put("gpu", gpu.gpu().index())
                .put("uuid", gpu.gpu().uuid())
                .put("state", gpu.state().label())
                .text("sentence", Optional.of(gpu.sentence()).filter(text -> !text.isEmpty()))
                .list(
                        "log",
                        gpu.log(),
                        line -> new JsonMembers()
                                .put("at", line.at())
                                .put("text", line.text())
                                .object())
                .object();
    }
}
