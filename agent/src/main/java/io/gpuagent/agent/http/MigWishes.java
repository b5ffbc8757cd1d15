// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.layout.LayoutException;
import io.gpuagent.agent.mig.LayoutAsk;
import io.gpuagent.agent.mig.MigPlan;
import io.gpuagent.agent.mig.MigRefusedException;
import io.gpuagent.agent.mig.MigService;
import io.gpuagent.agent.mig.OperationView;
import io.gpuagent.control.direct.Requester;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what is asked for out of a body, and asks the service for it. */
final class MigWishes {
    private static final int LONGEST_LAYOUT = 64 << 10;

    private final MigService service;

    MigWishes(MigService service) {
        this.service = service;
    }

    /** {@code POST /v1/plans}: a layout, the whole set of one GPU, or the way back. */
    MigPlan plan(ChangeBody body, Requester requester) throws ProblemException, MigRefusedException, LayoutException {
        Optional<String> layout = body.text("layout");
        Optional<String> gpu = body.text("gpu");
        boolean includeReserved = body.truth("include_reserved").orElse(false);
        if (layout.isPresent()) {
            LayoutAsk ask = new LayoutAsk(
                    Quoted.printable(body.text("file").orElse("layout")),
                    layout.get(),
                    body.text("config"),
                    body.truth("mode").orElse(false),
                    includeReserved);
            body.finish();
            if (layout.get().length() > LONGEST_LAYOUT) {
                throw ChangeProblems.badRequest("the layout has more than 64 KiB; send a layout file");
            }
            return service.plan(ask, requester);
        }
        if (gpu.isEmpty()) {
            throw ChangeProblems.badRequest(
                    "nothing is wanted: send the text of a layout file in layout, or gpu with profiles or rollback");
        }
        boolean rollback = body.truth("rollback").orElse(false);
        List<String> profiles = body.texts("profiles");
        body.finish();
        if (rollback == !profiles.isEmpty()) {
            throw ChangeProblems.badRequest("say either the profiles that the GPU is to have, or \"rollback\": true");
        }
        return rollback
                ? service.rollback(gpu.get(), includeReserved, requester)
                : service.repartition(gpu.get(), profiles, includeReserved, requester);
    }

    /** {@code POST /v1/operations}: a plan, or something with one GPU. */
    OperationView begin(ChangeBody body, Requester requester) throws ProblemException, MigRefusedException {
        Optional<String> plan = body.text("plan");
        if (plan.isPresent()) {
            body.finish();
            return service.apply(plan.get(), requester);
        }
        String action = body.text("action")
                .orElseThrow(() -> ChangeProblems.badRequest(
                        "nothing is wanted: send a plan's id in plan, or an action with a gpu"));
        String gpu = body.text("gpu").orElseThrow(() -> ChangeProblems.badRequest("no GPU is named: say which in gpu"));
        return switch (action) {
            case "enable", "disable" -> {
                boolean leavePending = body.truth("leave_pending").orElse(false);
                body.finish();
                yield service.mode(gpu, action.equals("enable"), leavePending, requester);
            }
            case "adopt" -> {
                Optional<Long> instance = body.whole("gpu_instance_id");
                body.finish();
                yield service.adopt(gpu, instance(instance), requester);
            }
            case "repair" -> {
                MigService.Repair how = body.part("how", MigWishes::repair).orElse(MigService.Repair.COMPLETE);
                body.finish();
                yield service.repair(gpu, how, requester);
            }
            default ->
                throw ChangeProblems.badRequest(
                        "there is no action " + Quoted.of(action) + "; there are enable, disable, adopt and repair");
        };
    }

    private static OptionalInt instance(Optional<Long> id) throws ProblemException {
        if (id.filter(number -> number > Integer.MAX_VALUE).isPresent()) {
            throw ChangeProblems.badRequest("gpu_instance_id is no id of a GPU instance: GET /v1/mig shows them");
        }
        return id.map(number -> OptionalInt.of(number.intValue())).orElse(OptionalInt.empty());
    }

    private static MigService.Repair repair(String text) {
        for (MigService.Repair how : MigService.Repair.values()) {
            if (how.name().toLowerCase(Locale.ROOT).equals(text)) {
                return how;
            }
        }
        throw new IllegalArgumentException(
                "there is no way to repair called " + Quoted.of(text) + "; write complete, remove or abandon");
    }
}
