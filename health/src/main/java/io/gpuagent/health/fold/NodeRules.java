// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.ClearsOn;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.SourceStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What no GPU owns: driver, bus, units, and the sources themselves. */
final class NodeRules {
    static final String NO_XIDS = "no_xid_source";
    private static final String DRIVER_DOWN = "driver_down";
    /** The agent was asked to let go of NVML, and says so rather than nothing. */
    static final String RELEASED = "released";

    private static final String UNIT_DOWN = "unit_down";
    private static final String NODE_UNRESPONSIVE = "node_unresponsive";
    /** A unit that is being restarted is down for a look. */
    private static final int LOOKS = 2;
    /** Four readings of the slow tier were missed. */
    private static final Duration UNREAD = Duration.ofMinutes(1);

    private NodeRules() {}

    static void polled(Draft node, NodePoll poll) {
        driver(node, poll);
        node.mpsServers = poll.mpsServers();
        boolean isMismatch = poll.module().isPresent()
                && poll.library().isPresent()
                && !poll.module().equals(poll.library());
        condition(
                        "library_mismatch_pending",
                        "",
                        HealthState.WARN,
                        HealthAction.REBOOT,
                        "the driver's library on disk is " + poll.library().orElse("") + ", the loaded module "
                                + poll.module().orElse("")
                                + ": what runs goes on, and programs that start now fail; load the driver anew or restart")
                .is(isMismatch, node);
        poll.onBus().ifPresent(bus -> poll.inNvml().ifPresent(nvml -> bus(node, bus, nvml)));
        units(node, poll.units());
        unresponsive(node);
    }

    private static void driver(Draft node, NodePoll poll) {
        switch (poll.driver()) {
            case DriverState.Up up -> {
                if (node.driver.isPresent() && !node.driver.get().equals(up.driverVersion())) {
                    node.gpuKeys().forEach(key -> node.gpu(key).reset = Optional.of(node.at));
                }
                node.driver = Optional.of(up.driverVersion());
                node.source(Sources.NVML, source -> source.is(SourceStatus.State.OK, ""));
                Condition.ends(node, DRIVER_DOWN, "");
                Condition.ends(node, RELEASED, "");
            }
            case DriverState.Down(var reason, var explanation, var _) -> {
                if (reason == DriverState.Reason.STARTING) {
                    return;
                }
                node.source(Sources.NVML, source -> source.is(state(reason), explanation));
                boolean isMismatch = reason == DriverState.Reason.VERSION_MISMATCH;
                boolean isHanging = reason == DriverState.Reason.UNRESPONSIVE;
                boolean isReleased = reason == DriverState.Reason.RELEASED;
                Condition.ends(node, isReleased ? DRIVER_DOWN : RELEASED, "");
                condition(
                                isReleased ? RELEASED : DRIVER_DOWN,
                                "",
                                isHanging ? HealthState.UNRESPONSIVE : HealthState.UNKNOWN,
                                isMismatch || isHanging ? HealthAction.REBOOT : HealthAction.NONE,
                                explanation)
                        .is(true, node);
            }
        }
    }

    private static SourceStatus.State state(DriverState.Reason reason) {
        return switch (reason) {
            case STARTING -> SourceStatus.State.STARTING;
            case NO_LIBRARY, NO_DRIVER -> SourceStatus.State.ABSENT;
            case NO_PERMISSION -> SourceStatus.State.DENIED;
            case RELEASED -> SourceStatus.State.DISABLED;
            case VERSION_MISMATCH, UNRESPONSIVE, FAILED -> SourceStatus.State.FAILED;
        };
    }

    /** A GPU that is gone from the bus and one that the driver does not drive are two things. */
    private static void bus(Draft node, Set<PciAddress> bus, Set<String> nvml) {
        Set<PciAddress> known = new HashSet<>();
        for (String key : node.gpuKeys()) {
            if (nvml.contains(key)) {
                GpuDraft gpu = node.gpu(key);
                gpu.pci.ifPresent(known::add);
                Condition.ends(gpu, PollRules.MISSING, "");
                Condition.ends(gpu, PollRules.NOT_DRIVEN, "");
            }
        }
        // Until each GPU of NVML's was read, one on the bus may be one of those.
        boolean isAllPlaced = known.size() >= nvml.size();
        for (String key : node.gpuKeys()) {
            Optional<PciAddress> pci = nvml.contains(key) ? Optional.empty() : node.gpu(key).pci;
            if (pci.isPresent() && known.add(pci.get())) {
                absent(
                        node.gpu(key),
                        bus.contains(pci.get()),
                        isAllPlaced || !key.equals(pci.get().busId()));
            }
        }
        for (PciAddress address : bus) {
            if (!known.contains(address) && isAllPlaced) {
                notDriven().is(true, node.gpuAt(address));
            }
        }
    }

    private static void absent(GpuDraft gpu, boolean isOnBus, boolean isSure) {
        if (isOnBus) {
            Condition.ends(gpu, PollRules.MISSING, "");
            notDriven().is(isSure, gpu);
        } else {
            Condition.ends(gpu, PollRules.NOT_DRIVEN, "");
            missing(gpu);
        }
    }

    private static Condition notDriven() {
        return new Condition(
                PollRules.NOT_DRIVEN,
                "",
                new Effect(HealthState.CRITICAL, HealthAction.REBOOT),
                ClearsOn.FLAG,
                HealthSource.HOST,
                "the GPU is on the PCI bus, and NVML does not have it");
    }

    /** Who takes a GPU out on purpose says so by an acknowledgement, which ends the search for it. */
    private static void missing(GpuDraft gpu) {
        new Condition(
                        PollRules.MISSING,
                        "",
                        new Effect(HealthState.LOST, HealthAction.INSPECT_HW),
                        ClearsOn.FLAG,
                        HealthSource.HOST,
                        "the GPU was here and is neither on the PCI bus nor in NVML")
                .is(true, gpu);
    }

    private static void units(Draft node, Map<String, UnitActivity> units) {
        units.forEach((unit, activity) -> {
            if (activity == UnitActivity.UNKNOWN) {
                return;
            }
            boolean isFabric = unit.contains("fabricmanager");
            boolean isDown = activity == UnitActivity.INACTIVE || (isFabric && activity == UnitActivity.NOT_INSTALLED);
            int looks = node.streak(UNIT_DOWN + unit, isDown);
            if (!isDown || looks >= LOOKS) {
                condition(
                                UNIT_DOWN,
                                unit,
                                isFabric ? HealthState.DEGRADED : HealthState.WARN,
                                HealthAction.NONE,
                                unit + " does not run; start it with systemctl start " + unit)
                        .is(isDown, node);
            }
        });
    }

    /** One GPU that does not answer is that GPU's fault; all of them are the driver's. */
    static void unresponsive(Draft node) {
        List<String> keys = node.gpuKeys();
        boolean areAll = keys.size() > 1
                && keys.stream()
                        .allMatch(key -> node.gpu(key)
                                .problems()
                                .open(PollRules.UNRESPONSIVE)
                                .isPresent());
        condition(
                        NODE_UNRESPONSIVE,
                        "",
                        HealthState.UNRESPONSIVE,
                        HealthAction.REBOOT,
                        "no GPU of this node answers: the driver hangs")
                .is(areAll, node);
    }

    /** Without the kernel's log, silence is no good news. */
    static void sources(Draft node) {
        SourceFacts log = node.source(Sources.KERNEL_LOG);
        SourceFacts events = node.source(Sources.NVML_EVENTS);
        SourceFacts store = node.source(Sources.STORE);
        boolean isLogSilent = log.state() != SourceStatus.State.OK && log.state() != SourceStatus.State.STARTING;
        boolean haveEvents = events.state() == SourceStatus.State.OK;
        new Condition(
                        NO_XIDS,
                        "",
                        new Effect(haveEvents ? HealthState.WARN : HealthState.UNKNOWN, HealthAction.NONE),
                        ClearsOn.FLAG,
                        HealthSource.AGENT,
                        (haveEvents
                                        ? "Xids come from NVML's events only, which leave out the worst ones: "
                                        : "there is no Xid source: ")
                                + log.detail())
                .is(isLogSilent, node);
        boolean isStoreDown = store.state() != SourceStatus.State.OK && store.state() != SourceStatus.State.STARTING;
        new Condition(
                        "store_degraded",
                        "",
                        new Effect(HealthState.WARN, HealthAction.NONE),
                        ClearsOn.FLAG,
                        HealthSource.AGENT,
                        store.detail())
                .is(isStoreDown, node);
    }

    /** What has not been read for long is not known, whatever it was. */
    static void unread(GpuDraft gpu) {
        boolean isUnread =
                gpu.lastRead.filter(read -> gpu.at().isPast(read, UNREAD)).isPresent();
        if (isUnread) {
            PollRules.condition(
                            PollRules.NOT_READ,
                            HealthState.UNKNOWN,
                            HealthAction.NONE,
                            "the GPU has not been read for more than a minute")
                    .is(true, gpu);
        }
    }

    private static Condition condition(String code, String part, HealthState state, HealthAction action, String text) {
        return new Condition(code, part, new Effect(state, action), ClearsOn.FLAG, HealthSource.HOST, text);
    }
}
