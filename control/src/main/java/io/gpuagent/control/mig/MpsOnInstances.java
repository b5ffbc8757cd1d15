// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.apply.MpsTenants;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.StopMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The MPS daemons of this agent on the instances of one GPU. One with clients is not stopped: the change is refused then.
 * Those that were stopped are written down before, and started again with the UUID of the instance that lies at their
 * place behind the change; where none does, the daemon stays stopped, and that is told.
 */
final class MpsOnInstances implements MpsTenants {
    private static final Duration STOP = Duration.ofSeconds(30);

    private final StoppedDaemons stopped;
    private final MigMachine.Daemons daemons;
    private final Consumer<String> progress;

    MpsOnInstances(StoppedDaemons stopped, MigMachine.Daemons daemons, Consumer<String> progress) {
        this.stopped = stopped;
        this.daemons = daemons;
        this.progress = progress;
    }

    @Override
    public void stop(GpuIdentity gpu, MigFacts now, Set<String> going) throws MigException {
        Optional<MpsSupervision> supervision = supervision();
        if (supervision.isEmpty()) {
            return;
        }
        List<MpsDaemonView> theirs = supervision.get().view().daemons().stream()
                .filter(daemon ->
                        daemon.pid().isPresent() && daemon.devices().stream().anyMatch(going::contains))
                .toList();
        List<StoppedDaemons.Stopped> places = new ArrayList<>();
        theirs.forEach(daemon -> place(daemon, now).ifPresent(places::add));
        if (theirs.isEmpty()) {
            return;
        }
        stopped.add(places);
        for (MpsDaemonView daemon : theirs) {
            try {
                supervision.get().stop(daemon.id(), StopMode.REFUSE, STOP, progress);
            } catch (ChangeRefused e) {
                throw new MigException(
                        MigException.Cause.HELD,
                        "the MPS daemon " + daemon.id() + " stands on an instance that is to go: " + e.getMessage());
            }
        }
    }

    /** Without a program for daemons there are none of ours. */
    private Optional<MpsSupervision> supervision() throws MigException {
        try {
            return Optional.of(daemons.open());
        } catch (ChangeRefused e) {
            if (e.kind() == ChangeRefused.Kind.NOT_SUPPORTED) {
                return Optional.empty();
            }
            throw new MigException(MigException.Cause.HELD, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<StoppedDaemons.Stopped> place(MpsDaemonView daemon, MigFacts now) {
        for (GpuInstance instance : now.gpu().instances()) {
            for (ComputeInstance compute : instance.computes()) {
                boolean isServed = now.devicesOf(instance.id()).stream()
                        .anyMatch(device -> device.computeInstance() == compute.id()
                                && daemon.devices().contains(device.uuid()));
                if (isServed) {
                    return Optional.of(StoppedDaemons.Stopped.of(daemon.id(), instance, compute));
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void start(GpuIdentity gpu, MigFacts now) throws MigException {
        List<StoppedDaemons.Stopped> waiting = stopped.read();
        if (waiting.isEmpty()) {
            return;
        }
        Optional<MpsSupervision> supervision = supervision();
        List<StoppedDaemons.Stopped> left = new ArrayList<>();
        List<String> told = new ArrayList<>();
        for (StoppedDaemons.Stopped each : waiting) {
            Optional<String> device = each.device(now);
            if (device.isEmpty() || supervision.isEmpty()) {
                told.add("the MPS daemon " + each.id() + " stays stopped, since its instance is gone");
                continue;
            }
            try {
                start(supervision.get(), each.id(), device.get());
            } catch (ChangeRefused e) {
                left.add(each);
                told.add("the MPS daemon " + each.id() + " could not be started again: " + e.getMessage());
            }
        }
        stopped.write(left);
        if (!told.isEmpty()) {
            throw new MigException(MigException.Cause.HELD, String.join("; ", told));
        }
    }

    private void start(MpsSupervision supervision, String id, String device) throws ChangeRefused {
        Optional<MpsDaemonView> known = supervision.view().daemons().stream()
                .filter(daemon -> daemon.id().equals(id))
                .findFirst();
        boolean isRunning = known.filter(daemon -> daemon.pid().isPresent()).isPresent();
        if (known.isEmpty() || isRunning) {
            return;
        }
        MpsDaemonView daemon = known.get();
        supervision.start(
                new DaemonWish(id, List.of(device), daemon.wanted(), daemon.multiUser(), daemon.exclusiveProcess()),
                progress);
    }

    /** Those that a crash has kept from being started again, in one sentence. */
    Optional<String> waiting() throws MigException {
        List<String> ids =
                stopped.read().stream().map(StoppedDaemons.Stopped::id).toList();
        return ids.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "stopped for a change and not started again: MPS " + (ids.size() == 1 ? "daemon " : "daemons ")
                                + String.join(", ", ids) + "; a recovery starts them");
    }
}
