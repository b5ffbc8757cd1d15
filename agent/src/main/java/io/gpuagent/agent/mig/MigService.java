// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.layout.LayoutException;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** MIG on this node: plans, the operations that carry them out, and what is. Any thread may call; many calls wait. */
public final class MigService implements AutoCloseable {
    private final MigParts parts;
    private final KnownGpus gpus;
    private final PlanMaker maker;
    private final PlanStore plans;
    private final MigOperations operations;

    /**
     * The service.
     *
     * @param parts what it works with
     */
    public MigService(MigParts parts) {
        Ids ids = new Ids();
        this.parts = parts;
        this.gpus = new KnownGpus(parts.snapshots());
        this.maker = new PlanMaker(parts, gpus, ids);
        this.plans = new PlanStore(parts.clock());
        this.operations = new MigOperations(parts.pollers(), ids, parts.clock());
    }

    /**
     * Plans a layout, and keeps the plan.
     *
     * @param ask the layout
     * @param requester who asks
     * @return the plan, which may say that it is impossible
     * @throws LayoutException when the layout cannot be meant
     * @throws MigRefusedException when a GPU cannot be read
     */
    public MigPlan plan(LayoutAsk ask, Requester requester) throws LayoutException, MigRefusedException {
        return kept(maker.layout(ask, requester));
    }

    /**
     * Plans the whole wanted set of one GPU, and keeps the plan.
     *
     * @param gpu the GPU as a user names it
     * @param profiles the profiles, each with {@code @START} behind it where that matters
     * @param includeReserved whether reserved instances may go
     * @param requester who asks
     * @return the plan
     * @throws MigRefusedException when it cannot be meant, or the GPU cannot be read
     */
    public MigPlan repartition(String gpu, List<String> profiles, boolean includeReserved, Requester requester)
            throws MigRefusedException {
        return kept(maker.repartition(gpus.find(gpu), profiles, includeReserved, requester));
    }

    /**
     * Plans the way back to the layout before the last change, and keeps the plan.
     *
     * @param gpu the GPU as a user names it
     * @param includeReserved whether reserved instances may go
     * @param requester who asks
     * @return the plan
     * @throws MigRefusedException when no change is known, or the GPU cannot be read
     */
    public MigPlan rollback(String gpu, boolean includeReserved, Requester requester) throws MigRefusedException {
        return kept(maker.rollback(gpus.find(gpu), includeReserved, requester));
    }

    private MigPlan kept(MigPlan plan) {
        plans.put(plan);
        return plan;
    }

    /**
     * A plan that was made.
     *
     * @param id its id
     * @return the plan
     * @throws MigRefusedException when it is not kept
     */
    public MigPlan plan(String id) throws MigRefusedException {
        return plans.find(id)
                .orElseThrow(() -> new MigRefusedException(
                        RefusalCode.NOT_FOUND,
                        "there is no plan " + Quoted.of(id) + "; one is kept for " + PlanStore.KEPT.toHours()
                                + " h and not longer than the agent runs: plan again"));
    }

    /**
     * Begins to carry a plan out.
     *
     * @param id the plan
     * @param requester who asks
     * @return the operation
     * @throws MigRefusedException when it is not begun
     */
    public OperationView apply(String id, Requester requester) throws MigRefusedException {
        MigPlan plan = plan(id);
        for (GpuPlan gpu : plan.gpus()) {
            if (gpu.reason().isPresent()) {
                throw new MigRefusedException(
                        RefusalCode.IMPOSSIBLE,
                        "GPU " + gpu.gpu().index() + ": " + gpu.reason().get());
            }
        }
        List<PlanWork> works = plan.gpus().stream()
                .filter(gpu -> gpu.state() == GpuPlan.State.CHANGE)
                .map(gpu -> new PlanWork(plan, gpu, parts.ports().apply(requester), parts.cards(requester)))
                .toList();
        return operations.begin(OperationKind.APPLY, Optional.of(id), requester, works);
    }

    /**
     * Begins to turn the MIG mode of a GPU on or off.
     *
     * @param gpu the GPU as a user names it
     * @param enabled on
     * @param leavePending whether a mode that needs a reset may stay pending
     * @param requester who asks
     * @return the operation
     * @throws MigRefusedException when it is not begun
     */
    public OperationView mode(String gpu, boolean enabled, boolean leavePending, Requester requester)
            throws MigRefusedException {
        GpuIdentity identity = gpus.find(gpu);
        return operations.begin(
                enabled ? OperationKind.ENABLE : OperationKind.DISABLE,
                Optional.empty(),
                requester,
                List.of(work(
                        identity,
                        new MigRequest.Mode(identity.uuid(), enabled, leavePending),
                        PollerRelease.Depth.DRIVER,
                        requester)));
    }

    /**
     * Begins to take foreign instances for ours.
     *
     * @param gpu the GPU as a user names it
     * @param gpuInstance the id of a GPU instance; empty: all that are foreign
     * @param requester who asks
     * @return the operation
     * @throws MigRefusedException when there is none, or it is not begun
     */
    public OperationView adopt(String gpu, OptionalInt gpuInstance, Requester requester) throws MigRefusedException {
        GpuIdentity identity = gpus.find(gpu);
        List<Integer> ids = gpuInstance.isPresent()
                ? List.of(gpuInstance.getAsInt())
                : parts.cards(requester).read(identity.uuid()).facts().gpu().instances().stream()
                        .filter(instance -> instance.ownership() == Ownership.FOREIGN)
                        .map(GpuInstance::id)
                        .toList();
        if (ids.isEmpty()) {
            throw new MigRefusedException(
                    RefusalCode.NOT_FOUND, "there is no foreign GPU instance on GPU " + identity.index() + " to adopt");
        }
        return operations.begin(
                OperationKind.ADOPT,
                Optional.empty(),
                requester,
                ids.stream()
                        .map(id -> work(
                                identity,
                                new MigRequest.Adopt(identity.uuid(), id),
                                PollerRelease.Depth.CALLS,
                                requester))
                        .toList());
    }

    /** What becomes of things that were left half made. */
    public enum Repair {
        /** They are made whole. */
        COMPLETE,
        /** Instances without compute instances are removed. */
        REMOVE,
        /** A change that was cut off is let be as it stands. */
        ABANDON
    }

    /**
     * Begins to repair a GPU: a change that was cut off is brought to its end, or else instances of ours without compute
     * instances are made whole or removed.
     *
     * @param gpu the GPU as a user names it
     * @param how what becomes of them
     * @param requester who asks
     * @return the operation
     * @throws MigRefusedException when there is nothing to repair, or it is not begun
     */
    public OperationView repair(String gpu, Repair how, Requester requester) throws MigRefusedException {
        GpuIdentity identity = gpus.find(gpu);
        MigState state = parts.cards(requester).read(identity.uuid());
        List<GpuWork> works = RepairRequests.of(identity, state, how).stream()
                .<GpuWork>map(request -> work(identity, request, PollerRelease.Depth.INSTANCES, requester))
                .toList();
        return operations.begin(OperationKind.REPAIR, Optional.empty(), requester, works);
    }

    private RequestWork work(GpuIdentity gpu, MigRequest request, PollerRelease.Depth depth, Requester requester) {
        return new RequestWork(gpu, request, depth, parts.ports().apply(requester));
    }

    /**
     * An operation.
     *
     * @param id its id
     * @return how far it is
     * @throws MigRefusedException when it is not kept
     */
    public OperationView operation(String id) throws MigRefusedException {
        return operations.find(id);
    }

    /**
     * The operations that are kept.
     *
     * @return newest first
     */
    public List<OperationView> operations() {
        return operations.all();
    }

    /**
     * Calls an operation off, where it can be.
     *
     * @param id its id
     * @return how far it is
     * @throws MigRefusedException when it has ended, or is not kept
     */
    public OperationView cancel(String id) throws MigRefusedException {
        return operations.cancel(id);
    }

    /**
     * How a GPU is.
     *
     * @param gpu the GPU as a user names it
     * @param requester who asks
     * @return its layout, with who uses each instance, and the changes that were carried out
     * @throws MigRefusedException when it cannot be read
     */
    public MigState state(String gpu, Requester requester) throws MigRefusedException {
        return parts.cards(requester).read(gpus.find(gpu).uuid());
    }

    /**
     * How the GPUs are that can be cut up.
     *
     * @param requester who asks
     * @return the layout of each, by index
     * @throws MigRefusedException when one cannot be read
     */
    public List<MigState> states(Requester requester) throws MigRefusedException {
        List<MigState> states = new ArrayList<>();
        for (GpuSnapshot gpu : gpus.all()) {
            try {
                states.add(parts.cards(requester).read(gpu.identity().uuid()));
            } catch (MigRefusedException e) {
                if (e.code() != RefusalCode.NOT_SUPPORTED) {
                    throw e;
                }
            }
        }
        return states;
    }

    /**
     * The rules by which instances must stay where nothing else is asked for.
     *
     * @return the rules
     */
    public PinRules rules() {
        return maker.rules(false);
    }

    /**
     * The present layout of the node as a file, which wants nothing else than there is.
     *
     * @param requester who asks
     * @return the text of a layout file
     * @throws MigRefusedException when a GPU cannot be read
     */
    public String export(Requester requester) throws MigRefusedException {
        LayoutExport export = new LayoutExport(parts.clock().now());
        for (GpuSnapshot gpu : gpus.all()) {
            try {
                export.add(parts.cards(requester).read(gpu.identity().uuid()).facts());
            } catch (MigRefusedException e) {
                if (e.code() != RefusalCode.NOT_SUPPORTED) {
                    throw e;
                }
                export.leaveOut(gpu.identity(), e.sentence());
            }
        }
        return export.text();
    }

    /** Calls off what is under way; what cannot be stopped now is brought to its end at the next start. */
    @Override
    public void close() {
        operations.close();
    }
}
