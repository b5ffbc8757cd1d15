// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.api.json.JsonMembers;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.apply.History;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.apply.SavedLayout;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanText;
import io.gpuagent.mig.plan.SliceMap;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.Locale;

/** Writes how a GPU is cut up, by whom it is used and what was changed; {@code docs/api/mig.md} describes the shapes. */
public final class StateJson {
    private static final long MEBIBYTE = 1L << 20;

    private StateJson() {}

    /**
     * How a GPU is cut up.
     *
     * @param state what was read
     * @param rules what counts as a reason to stay
     * @return the document
     */
    public static JsonValue layout(MigState state, PinRules rules) {
        return gpu(state, rules).put("version", PlanJson.VERSION).object();
    }

    /**
     * How several GPUs are cut up.
     *
     * @param states what was read
     * @param rules what counts as a reason to stay
     * @return the document
     */
    public static JsonValue layouts(List<MigState> states, PinRules rules) {
        return new JsonMembers()
                .put("version", PlanJson.VERSION)
                .list("gpus", states, state -> gpu(state, rules).object())
                .object();
    }

    private static JsonMembers gpu(MigState state, PinRules rules) {
        MigFacts facts = state.facts();
        SliceMap map = SliceMap.of(facts.gpu(), rules);
        return head(facts.gpu().identity())
                .put("model", facts.gpu().model())
                .put("enabled", facts.enabled())
                .put("pending", facts.pending())
                .text("unfinished", state.unfinished())
                .text("ownership", state.ownership())
                .put(
                        "slices",
                        new JsonMembers()
                                .put("width", map.width())
                                .list("now", map.cells(), PlanJson::cell)
                                .object())
                .list("instances", facts.gpu().instances(), instance -> instance(instance, facts, rules))
                .list("profiles", facts.gpu().card().profiles(), StateJson::profile)
                .put("text", facts.enabled() ? PlanText.of(facts.gpu(), rules) : "");
    }

    private static JsonMembers head(GpuIdentity gpu) {
        return new JsonMembers().put("gpu", gpu.index()).put("uuid", gpu.uuid());
    }

    private static JsonValue instance(GpuInstance instance, MigFacts facts, PinRules rules) {
        return new JsonMembers()
                .put("gpu_instance_id", instance.id())
                .put("profile", instance.profile().name())
                .put("start", instance.placement().start())
                .put("size", instance.placement().size())
                .put("ownership", instance.ownership().name().toLowerCase(Locale.ROOT))
                .list("compute_instances", instance.computes(), compute -> compute(instance, compute, facts))
                .list("must_stay", rules.pins(instance), PlanJson::pin)
                .object();
    }

    private static JsonValue compute(GpuInstance of, ComputeInstance compute, MigFacts facts) {
        JsonMembers members =
                new JsonMembers().put("compute_instance_id", compute.id()).put("profile", compute.name());
        compute.placement().ifPresent(at -> members.put("start", at.start()));
        facts.devicesOf(of.id()).stream()
                .filter(device -> device.computeInstance() == compute.id())
                .map(MigDeviceFacts::uuid)
                .findFirst()
                .ifPresent(uuid -> members.put("uuid", uuid));
        return members.object();
    }

    private static JsonValue profile(GpuProfile profile) {
        return new JsonMembers()
                .put("profile", profile.name())
                .put("id", profile.id())
                .put("most", profile.limit())
                .put("multiprocessors", profile.multiprocessors())
                .put("memory_bytes", profile.memoryMebibytes() * MEBIBYTE)
                .put("size", profile.size())
                .list("starts", profile.placements(), at -> new JsonNumber(Integer.toString(at.start())))
                .object();
    }

    /**
     * Who uses the instances of a GPU.
     *
     * @param state what was read
     * @param rules what counts as a reason to stay
     * @return the document
     */
    public static JsonValue holders(MigState state, PinRules rules) {
        MigFacts facts = state.facts();
        return head(facts.gpu().identity())
                .put("version", PlanJson.VERSION)
                .list(
                        "instances",
                        facts.gpu().instances(),
                        instance -> new JsonMembers()
                                .put("gpu_instance_id", instance.id())
                                .put("profile", instance.profile().name())
                                .put("start", instance.placement().start())
                                .list(
                                        "holders",
                                        instance.claims(),
                                        claim -> PlanJson.claim(claim).object())
                                .list("must_stay", rules.pins(instance), PlanJson::pin)
                                .object())
                .object();
    }

    /**
     * The changes of a GPU that were carried out.
     *
     * @param state what was read
     * @return the document, the newest change first
     */
    public static JsonValue history(MigState state) {
        MigGpu gpu = state.facts().gpu();
        return head(gpu.identity())
                .put("version", PlanJson.VERSION)
                .list("changes", state.history().reversed(), change -> change(change, gpu))
                .object();
    }

    private static JsonValue change(History.Entry change, MigGpu gpu) {
        return new JsonMembers()
                .put("number", change.id())
                .put("at", change.at())
                .list("before", names(change.before(), gpu), JsonText::new)
                .list("after", names(change.after(), gpu), JsonText::new)
                .object();
    }

    private static List<String> names(SavedLayout layout, MigGpu gpu) {
        return layout.instances().stream()
                .map(instance -> gpu.card()
                                .byId(instance.profile())
                                .map(GpuProfile::name)
                                .orElse("id:" + instance.profile())
                        + "@" + instance.placement().start())
                .toList();
    }

    /**
     * The layout of the node as a file.
     *
     * @param text the file
     * @return the document
     */
    public static JsonValue export(String text) {
        return new JsonMembers()
                .put("version", PlanJson.VERSION)
                .put("layout", text)
                .object();
    }
}
