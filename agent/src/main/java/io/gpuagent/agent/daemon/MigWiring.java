// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.MigConfig;
import io.gpuagent.agent.mig.LastUses;
import io.gpuagent.agent.mig.MigParts;
import io.gpuagent.agent.mig.MigService;
import io.gpuagent.agent.mig.PollerRelease;
import io.gpuagent.agent.poll.GpuReleases;
import io.gpuagent.agent.poll.NotReleasedException;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.supervise.ChangeRefused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Puts the service of MIG together, and watches what runs on instances. */
final class MigWiring implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MigWiring.class.getName());
    // Of no reading is asked for more often than once a second; a use that is missed was a short one.
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final MigService service;
    private final LastUses uses;
    private final Supplier<NodeSnapshot> snapshots;
    private final Clock clock;
    private Optional<Thread> watching = Optional.empty();

    private MigWiring(MigService service, LastUses uses, Supplier<NodeSnapshot> snapshots, Clock clock) {
        this.service = service;
        this.uses = uses;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    static MigWiring open(MpsWiring.Parts parts, Optional<MpsWiring> mps, GpuReleases releases, MigConfig config) {
        LastUses uses = new LastUses();
        Function<Requester, ControlPort> ports = mps.map(MpsWiring::changes)
                .orElseGet(() -> ControlPorts.of(parts, unsupervised(), MpsWiring.modes(parts)));
        MigService service = new MigService(new MigParts(
                ports,
                parts.snapshots(),
                (gpus, depth) -> release(releases, gpus, depth),
                uses,
                new PciDevices(parts.nvml(), parts.clock()),
                config.idleGrace(),
                parts.clock()));
        return new MigWiring(service, uses, parts.snapshots(), parts.clock());
    }

    private static DirectPort.Daemons unsupervised() {
        return () -> {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_SUPPORTED,
                    "this agent does not supervise MPS: mps.enabled is false in its configuration");
        };
    }

    private static Optional<PollerRelease.Released> release(
            GpuReleases releases, List<String> gpus, PollerRelease.Depth depth) {
        GpuReleases.Depth far = switch (depth) {
            case CALLS -> GpuReleases.Depth.CALLS;
            case INSTANCES -> GpuReleases.Depth.INSTANCES;
            case DRIVER -> GpuReleases.Depth.LIBRARY;
        };
        try {
            // Each of two steps may take as long; both have to come within what the one who asks waits for.
            GpuReleases.Released released = releases.release(
                    gpus, far, Duration.ofSeconds(Caller.QUIESCE_SECONDS).dividedBy(2));
            return Optional.of(released::close);
        } catch (NotReleasedException e) {
            LOG.log(WARNING, "GPUs are not let go of: {0}", e.getMessage());
            return Optional.empty();
        }
    }

    MigService service() {
        return service;
    }

    /** Begins to watch. */
    void watch() {
        watching = Optional.of(Thread.ofPlatform().name("mig-uses").daemon().start(this::look));
    }

    private void look() {
        try {
            while (true) {
                uses.observe(snapshots.get());
                clock.sleepUntil(clock.nanos() + BETWEEN_LOOKS.toNanos());
            }
        } catch (InterruptedException e) {
            // close() ends it.
        }
    }

    /** Calls operations off, and stops watching. */
    @Override
    public void close() {
        service.close();
        watching.ifPresent(Thread::interrupt);
    }
}
