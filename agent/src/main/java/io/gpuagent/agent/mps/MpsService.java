// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.agent.poll.GpuReleases;
import io.gpuagent.control.Answer;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.Request;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.UserText;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.Effect;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.MpsSupervision;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** MPS on this node: what is, what a change would do, and the change. Any thread may call. */
public final class MpsService {
    private final MpsSupervision supervision;
    private final Function<Requester, ControlPort> ports;
    private final Supplier<NodeSnapshot> snapshots;
    private final Optional<GpuReleases> releases;
    private final ExclusiveGpus exclusive = new ExclusiveGpus();

    /**
     * The service.
     *
     * @param supervision watches the daemons
     * @param ports make changes for whoever asks
     * @param snapshots gives the newest snapshot of the GPUs
     * @param releases has GPUs let go of; empty where this process polls none
     */
    public MpsService(
            MpsSupervision supervision,
            Function<Requester, ControlPort> ports,
            Supplier<NodeSnapshot> snapshots,
            Optional<GpuReleases> releases) {
        this.supervision = supervision;
        this.ports = ports;
        this.snapshots = snapshots;
        this.releases = releases;
    }

    /**
     * All that is known of MPS now; never waits.
     *
     * @return the newest view
     */
    public MpsNodeView view() {
        MpsNodeView mps = supervision.view();
        return mps.withReasons(exclusive.without(snapshots.get(), mps));
    }

    /**
     * The GPUs.
     *
     * @return the newest snapshot
     */
    public NodeSnapshot node() {
        return snapshots.get();
    }

    /**
     * The GPUs as the supervision sees them.
     *
     * @return out of the newest snapshot
     */
    public GpuUse gpus() {
        return new SnapshotGpuUse(snapshots);
    }

    /**
     * What a change would do.
     *
     * @param request a change of MPS
     * @return whom it reaches
     * @throws ChangeRefused when it would be refused
     */
    public Effect plan(Request request) throws ChangeRefused {
        return switch (request) {
            case Request.MpsStart(var wish) -> supervision.planStart(wish);
            case Request.MpsStop(var id, var mode, var _) -> supervision.planStop(id, mode);
            case Request.MpsSet(var id, var share) -> supervision.planSet(id, share);
            case Request.MpsTerminateClient(var id, var pid) -> supervision.planTerminate(id, pid);
            case Request.MpsResume(var id) -> ResumePlan.of(daemon(id));
            case Request.MpsCallOffDrain(var id) -> supervision.planCallOffDrain(id);
            default -> throw new IllegalArgumentException(request.verb() + " has no plan");
        };
    }

    private MpsDaemonView daemon(String id) throws ChangeRefused {
        return view().daemons().stream()
                .filter(daemon -> daemon.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ChangeRefused(
                        ChangeRefused.Kind.NOT_FOUND, "there is no MPS daemon " + UserText.quoted(id)));
    }

    /**
     * Makes a change; blocks until it is made or refused.
     *
     * @param request a change of MPS
     * @param requester who asks, for the audit log
     * @param progress hears of each step, on this thread
     * @return what became of it
     */
    public Answer perform(Request request, Requester requester, Consumer<String> progress) {
        try (ReleasingCaller caller = new ReleasingCaller(progress, releases, GpuReleases.Depth.CALLS)) {
            return ports.apply(requester).perform(request, caller);
        }
    }
}
