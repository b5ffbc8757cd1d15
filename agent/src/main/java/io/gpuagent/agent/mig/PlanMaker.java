// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.config.Problems;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.layout.LayoutException;
import io.gpuagent.agent.layout.LayoutTargets;
import io.gpuagent.agent.layout.LayoutText;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.layout.GpuMatch;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.LayoutForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes plans out of what is wanted and what is. */
final class PlanMaker {
    private static final Pattern PLACED = Pattern.compile("(.+)@([0-9]{1,2})");
    private static final int MOST_PROFILES = 64;

    private final MigParts parts;
    private final KnownGpus gpus;
    private final Ids ids;

    PlanMaker(MigParts parts, KnownGpus gpus, Ids ids) {
        this.parts = parts;
        this.gpus = gpus;
        this.ids = ids;
    }

    PinRules rules(boolean includeReserved) {
        return new PinRules(includeReserved, false, parts.idleGrace(), Set.of());
    }

    MigPlan layout(LayoutAsk ask, Requester requester) throws LayoutException, MigRefusedException {
        Layout layout = LayoutText.read(ask.file(), ask.text(), ask.config());
        Problems problems = new Problems(ask.file());
        LayoutTargets targets = LayoutTargets.of(layout, gpus.candidates(pciDevices(layout)), problems);
        LayoutPlanner planner = new LayoutPlanner(rules(ask.includeReserved()), layout.form(), ask.maySwitchMode());
        MigCards cards = parts.cards(requester);
        List<GpuPlan> plans = new ArrayList<>();
        for (LayoutTargets.Target target : targets.targets()) {
            plans.add(gpu(target, planner, cards, problems));
        }
        if (!problems.sorted().isEmpty()) {
            throw new LayoutException(ask.file(), problems.sorted());
        }
        List<String> notes = new ArrayList<>(targets.notes());
        layout.groups()
                .forEach(group -> notes.add("the MPS group \"" + group.name()
                        + "\" is not applied yet: start it with gpu-agent mps start --name " + group.name()));
        String source = ask.file() + ask.config().map(name -> ", " + name).orElse("");
        return made(MigPlan.Kind.LAYOUT, source, rules(ask.includeReserved()), plans, notes);
    }

    /** They are read for files that choose by them alone. */
    private Function<String, Optional<Integer>> pciDevices(Layout layout) {
        boolean isAsked = layout.gpus().stream()
                .anyMatch(entry -> entry.match() instanceof GpuMatch.Devices devices
                        && !devices.pciDevices().isEmpty());
        return isAsked ? parts.pciDevices() : _ -> Optional.empty();
    }

    private static GpuPlan gpu(LayoutTargets.Target target, LayoutPlanner planner, MigCards cards, Problems problems)
            throws MigRefusedException {
        GpuIdentity gpu = target.gpu().identity();
        String model = target.gpu().model();
        boolean saysNothingOfMig =
                target.entry().mig().isEmpty() && target.entry().migMode().isEmpty();
        if (target.entry().keep()) {
            return plain(gpu, model, true, Optional.empty(), List.of());
        }
        if (saysNothingOfMig) {
            return plain(gpu, model, false, Optional.empty(), List.of(LayoutPlanner.MPS));
        }
        try {
            return planner.plan(target, cards.read(gpu.uuid()), problems);
        } catch (MigRefusedException e) {
            if (e.code() != RefusalCode.NOT_SUPPORTED) {
                throw e;
            }
            // A card without MIG has what a file wants that wants no MIG.
            boolean isMet = target.entry().mig().filter(list -> !list.isEmpty()).isEmpty()
                    && !target.entry().migMode().orElse(false);
            return plain(gpu, model, false, isMet ? Optional.empty() : Optional.of(e.sentence()), List.of());
        }
    }

    private static GpuPlan plain(
            GpuIdentity gpu, String model, boolean keep, Optional<String> obstacle, List<String> notes) {
        return new GpuPlan(gpu, model, keep, Optional.empty(), Optional.empty(), Optional.empty(), obstacle, notes);
    }

    MigPlan repartition(GpuIdentity gpu, List<String> profiles, boolean includeReserved, Requester requester)
            throws MigRefusedException {
        if (profiles.size() > MOST_PROFILES) {
            throw new MigRefusedException(
                    RefusalCode.BAD_REQUEST, profiles.size() + " profiles are more than any GPU has room for");
        }
        List<InstanceRequest> wanted = profiles.stream().map(PlanMaker::request).toList();
        MigState state = parts.cards(requester).read(gpu.uuid());
        try {
            GpuPlan plan = new LayoutPlanner(rules(includeReserved), LayoutForm.OWN, false).repartition(state, wanted);
            return made(
                    MigPlan.Kind.REPARTITION,
                    "gpu-agent repartition " + gpu.index() + " " + String.join(" ", profiles),
                    rules(includeReserved),
                    List.of(plan),
                    List.of());
        } catch (MigRequestException e) {
            throw new MigRefusedException(RefusalCode.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static InstanceRequest request(String text) {
        Matcher placed = PLACED.matcher(text);
        return placed.matches()
                ? new InstanceRequest(
                        placed.group(1), 1, OptionalInt.of(Integer.parseInt(placed.group(2))), Optional.empty())
                : InstanceRequest.of(text);
    }

    MigPlan rollback(GpuIdentity gpu, boolean includeReserved, Requester requester) throws MigRefusedException {
        MigState state = parts.cards(requester).read(gpu.uuid());
        if (state.history().isEmpty()) {
            throw new MigRefusedException(
                    RefusalCode.NOT_FOUND, "no change of GPU " + gpu.index() + " is known that could be taken back");
        }
        PinRules rules = rules(includeReserved);
        PlanOutcome outcome = new Planner(rules)
                .plan(
                        state.facts().gpu(),
                        state.history().getLast().before().wanted(state.facts().gpu()));
        GpuPlan plan = new GpuPlan(
                gpu,
                state.facts().gpu().model(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.of(outcome),
                state.unfinished().map(why -> why + ": gpu-agent mig repair " + gpu.index()),
                state.ownership().stream().toList());
        String source =
                "the layout before the change of " + state.history().getLast().at();
        return made(MigPlan.Kind.ROLLBACK, source, rules, List.of(plan), List.of());
    }

    private MigPlan made(MigPlan.Kind kind, String source, PinRules rules, List<GpuPlan> gpus, List<String> notes) {
        return new MigPlan(ids.next("plan"), parts.clock().now(), kind, Quoted.printable(source), rules, gpus, notes);
    }
}
