// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.api.json.JsonMembers;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.plan.Affected;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.Pin;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.SliceCell;
import io.gpuagent.mig.plan.SliceMap;
import io.gpuagent.mig.plan.Step;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes plans; {@code docs/api/mig.md} describes the shape. */
public final class PlanJson {
    static final int VERSION = 1;

    private PlanJson() {}

    /**
     * A plan.
     *
     * @param plan the plan
     * @return the document
     */
    public static JsonValue document(MigPlan plan) {
        return new JsonMembers()
                .put("version", VERSION)
                .put("id", plan.id())
                .put("created_at", plan.createdAt())
                .put("kind", plan.kind().name().toLowerCase(Locale.ROOT))
                .put("source", plan.source())
                .put("state", !plan.isPossible() ? "impossible" : plan.isNoChange() ? "no_change" : "change")
                .list("gpus", plan.gpus(), PlanJson::gpu)
                .list("notes", plan.notes(), JsonText::new)
                .put("text", PlanPage.of(plan))
                .object();
    }

    private static JsonValue gpu(GpuPlan plan) {
        JsonMembers members = new JsonMembers()
                .put("gpu", plan.gpu().index())
                .put("uuid", plan.gpu().uuid())
                .put("model", plan.model())
                .put("state", plan.state().name().toLowerCase(Locale.ROOT))
                .text("reason", plan.reason());
        plan.mode().ifPresent(on -> members.put("mig_mode", on));
        plan.layout().ifPresent(layout -> layout(layout, members));
        return members.list("notes", plan.notes(), JsonText::new).object();
    }

    private static void layout(PlanOutcome layout, JsonMembers members) {
        members.put("wanted", layout.wanted().words());
        JsonMembers slices = new JsonMembers()
                .put("width", SliceMap.before(layout).width())
                .list("before", SliceMap.before(layout).cells(), PlanJson::cell);
        if (layout instanceof Plan plan) {
            slices.list("after", SliceMap.after(plan).cells(), PlanJson::cell);
        }
        members.put("slices", slices.object());
        switch (layout) {
            case Plan plan ->
                members.list("steps", plan.steps(), PlanJson::step)
                        .list("affected", plan.affected(), PlanJson::affected)
                        .list("destroyed", ids(plan.destroyed()), id -> new JsonNumber(id.toString()))
                        .list("kept", ids(plan.kept()), id -> new JsonNumber(id.toString()));
            case Impossible impossible ->
                members.list("evict", ids(impossible.evict()), id -> new JsonNumber(id.toString()));
        }
        members.list("must_stay", layout.pins(), PlanJson::pin);
    }

    private static List<Integer> ids(List<GpuInstance> instances) {
        return instances.stream().map(GpuInstance::id).toList();
    }

    static JsonValue cell(SliceCell cell) {
        JsonMembers members = new JsonMembers()
                .put("start", cell.placement().start())
                .put("size", cell.placement().size())
                .put("signs", cell.signs());
        if (!cell.isFree()) {
            members.put("profile", cell.profile())
                    .number("gpu_instance_id", cell.gpuInstance())
                    .list("compute_instances", cell.computes(), JsonText::new);
        }
        return members.object();
    }

    private static JsonValue step(Step step) {
        String kind = switch (step) {
            case Step.DestroyCompute _ -> "destroy_compute_instance";
            case Step.DestroyGpuInstance _ -> "destroy_gpu_instance";
            case Step.CreateGpuInstance _ -> "create_gpu_instance";
            case Step.CreateCompute _ -> "create_compute_instance";
        };
        return new JsonMembers().put("do", kind).put("sentence", step.words()).object();
    }

    static JsonValue pin(Pin pin) {
        return new JsonMembers()
                .put("gpu_instance_id", pin.instance().id())
                .number("compute_instance_id", pin.computeInstance())
                .put("kind", pin.kind().name().toLowerCase(Locale.ROOT))
                .put("sentence", pin.sentence())
                .object();
    }

    private static JsonValue affected(Affected affected) {
        return claim(affected.claim())
                .put("gpu_instance_id", affected.instance().id())
                .put("sentence", affected.sentence())
                .object();
    }

    /** Who it is, and how they use an instance. */
    static JsonMembers claim(Claim claim) {
        JsonMembers members = new JsonMembers().number("compute_instance_id", claim.computeInstance());
        String kind = switch (claim) {
            case Claim.Runs _ -> "runs";
            case Claim.HoldsNode _ -> "holds_node";
            case Claim.NamesDevice _ -> "names_device";
            case Claim.InContainer _ -> "container";
            case Claim.RanLately _ -> "ran_lately";
            case Claim.MpsDaemon _ -> "mps_daemon";
            case Claim.NotVisible _ -> "not_visible";
        };
        members.put("kind", kind).put("words", claim.words());
        holder(claim).ifPresent(holder -> {
            members.number("pid", holder.pid());
            members.text("name", Optional.of(holder.name()).filter(name -> !name.isEmpty()));
            members.text("unit", holder.unit());
            members.text("container", holder.container());
        });
        return members;
    }

    private static Optional<Holder> holder(Claim claim) {
        return switch (claim) {
            case Claim.Runs it -> Optional.of(it.holder());
            case Claim.HoldsNode it -> Optional.of(it.holder());
            case Claim.NamesDevice it -> Optional.of(it.holder());
            case Claim.InContainer it -> Optional.of(it.holder());
            case Claim.MpsDaemon it -> Optional.of(it.holder());
            case Claim.RanLately _, Claim.NotVisible _ -> Optional.empty();
        };
    }
}
