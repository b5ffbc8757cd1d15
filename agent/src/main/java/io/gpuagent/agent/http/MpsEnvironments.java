// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.MpsChangeJson;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.mps.OwnLimits;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.env.ClientSetup;
import io.gpuagent.mps.env.EnvironmentFormat;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;

/** {@code GET /v1/mps/env}: what a program needs to become a client. */
final class MpsEnvironments {
    private final MpsService service;
    private final MpsChanges daemons;

    MpsEnvironments(MpsService service, MpsChanges daemons) {
        this.service = service;
        this.daemons = daemons;
    }

    JsonValue document(HttpServerRequest request) throws ProblemException {
        Query query = Query.of(request, "target", "format", "threads", "memory", "priority");
        String target = query.value("target", Function.identity())
                .filter(name -> !name.isEmpty())
                .orElseThrow(() -> ChangeProblems.badRequest("no daemon is named: add ?target= and a GPU or an id"));
        EnvironmentFormat format =
                query.value("format", EnvironmentFormat::parse).orElse(EnvironmentFormat.SHELL);
        Share own = new Share(
                query.value("threads", ThreadPercentage::parse),
                query.value("memory", PinnedMemoryLimit::parse),
                query.value("priority", ClientPriority::parse));
        MpsDaemonView daemon = daemons.daemon(target);
        if (daemon.state() == MpsState.DRAINING) {
            throw ChangeProblems.of(
                    RefusalCode.IN_USE,
                    "the MPS daemon " + daemon.id()
                            + " drains: a program that joins now keeps it from its end; wait until it has ended and start"
                            + " it again, or call the drain off with gpu-agent mps resume " + daemon.id());
        }
        OwnLimits limits = new OwnLimits(service.gpus());
        try {
            limits.check(own, daemon.devices());
            return MpsChangeJson.environment(ClientSetup.of(daemon, own), format, OwnLimits.notes(own, daemon));
        } catch (BadValueException e) {
            throw ChangeProblems.badRequest(e);
        } catch (MpsException e) {
            throw ChangeProblems.of(RefusalCode.NOT_SUPPORTED, String.valueOf(e.getMessage()));
        }
    }
}
