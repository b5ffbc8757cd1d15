// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.RowRemap;
import io.gpuagent.model.health.HealthReason;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A node to which things happen. All sources speak, GPU 0 sits at 0000:9b:00 and was just read, and all is well. */
public final class Scene {
    static final String BOOT = "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    static final String NEXT_BOOT = "6f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    static final String GPU = "GPU-509665ad-b600-ac93-3616-d754b23d636d";
    static final String OTHER = "GPU-1d1bd0bc-b600-ac93-3616-d754b23d636d";
    static final PciAddress PCI = new PciAddress(0, 0x9b, 0);
    static final PciAddress OTHER_PCI = new PciAddress(0, 0x3b, 0);
    static final String XID = "NVRM: Xid (PCI:0000:9b:00): ";
    static final GpuCondition LOST = new GpuCondition(GpuCondition.State.LOST, null);
    static final GpuCondition UNRESPONSIVE = new GpuCondition(GpuCondition.State.UNRESPONSIVE, null);
    static final GpuCondition FAILING = new GpuCondition(GpuCondition.State.FAILING, "NVML_ERROR_UNKNOWN");
    static final DriverState UP = new DriverState.Up("580.159.04", "13.580.159.04", "13.0", "library");

    private final HealthFold fold = new HealthFold(XidCatalogue.builtIn());
    private NodeFacts facts;
    private long nanos = 1_000_000_000_000L;
    private Instant wall = Instant.parse("2026-12-01T10:00:00Z");
    private String boot = BOOT;
    private long sequence = 100;

    private Scene(NodeFacts facts) {
        this.facts = facts;
    }

    /** A node of which nothing is known. */
    static Scene empty() {
        return new Scene(NodeFacts.NOTHING);
    }

    /** All is well. */
    public static Scene well() {
        Scene scene = empty();
        scene.see(new Observation.Started(scene.now(), BOOT));
        scene.source(Sources.KERNEL_LOG, SourceStatus.State.OK, "");
        scene.source(Sources.NVML_EVENTS, SourceStatus.State.OK, "");
        scene.node(UP);
        scene.poll(scene.good());
        return scene;
    }

    Moment now() {
        return new Moment(nanos, wall);
    }

    NodeFacts facts() {
        return facts;
    }

    Scene see(Observation observation) {
        facts = fold.after(facts, observation);
        return this;
    }

    Scene source(String name, SourceStatus.State state, String detail) {
        return see(new Observation.SourceChanged(now(), name, state, detail));
    }

    Scene kernel(String text) {
        return see(new Observation.KernelMessage(now(), boot, sequence++, true, HealthSource.KMSG, text));
    }

    Scene xid(String rest) {
        return kernel(XID + rest);
    }

    Scene nvml(int xid) {
        return nvml(xid, -1, -1);
    }

    Scene nvml(int xid, int gi, int ci) {
        return see(new Observation.NvmlEvent(now(), GPU, 8, xid, optional(gi), optional(ci)));
    }

    private static OptionalInt optional(int id) {
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** Time passes; nothing is read. */
    Scene pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
        return see(new Observation.TimePassed(now()));
    }

    /** Time passes, and the GPU is read each 15 seconds. */
    Scene passWith(GpuPoll poll, Duration time) {
        Duration step = Duration.ofSeconds(15);
        for (Duration left = time; !left.isNegative() && !left.isZero(); left = left.minus(step)) {
            pass(step);
            poll(poll);
        }
        return this;
    }

    /** The clock on the wall is set; time itself goes on. */
    Scene setWall(Duration by) {
        wall = wall.plus(by);
        return this;
    }

    Scene reboot() {
        boot = NEXT_BOOT;
        sequence = 0;
        return see(new Observation.Started(now(), boot));
    }

    Scene poll(GpuPoll poll) {
        return see(new Observation.GpuPolled(now(), poll));
    }

    Scene poll(GpuCondition condition) {
        return poll(GpuPoll.of(GPU, condition));
    }

    Scene ack(String incident, String who, String why) {
        return see(new Observation.Acknowledged(now(), incident, who, why));
    }

    Scene node(DriverState driver) {
        return see(new Observation.NodePolled(now(), nodePoll(driver)));
    }

    static NodePoll nodePoll(DriverState driver) {
        return new NodePoll(
                driver, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Map.of());
    }

    Scene versions(String module, String library) {
        return see(new Observation.NodePolled(
                now(),
                new NodePoll(
                        UP,
                        Optional.of(module),
                        Optional.of(library),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of())));
    }

    Scene bus(Set<PciAddress> bus, Set<String> nvml) {
        return see(new Observation.NodePolled(
                now(),
                new NodePoll(
                        UP,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(bus),
                        Optional.of(nvml),
                        Map.of(),
                        Map.of())));
    }

    Scene units(Map<String, UnitActivity> units) {
        return see(new Observation.NodePolled(
                now(),
                new NodePoll(
                        UP, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), units, Map.of())));
    }

    Scene mpsServer(long pid, String daemon) {
        return see(new Observation.NodePolled(
                now(),
                new NodePoll(
                        UP,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(pid, daemon))));
    }

    /** A reading that has nothing to complain of. */
    GpuPoll good() {
        return reading(0, false, false);
    }

    GpuPoll reading(int recoveryAction, boolean isRemapPending, boolean hasRemapFailed) {
        return reading(OptionalInt.of(recoveryAction), Optional.of(new RowRemap(0, 1, isRemapPending, hasRemapFailed)));
    }

    GpuPoll reading(OptionalInt recoveryAction, Optional<RowRemap> rows) {
        GpuPoll none = GpuPoll.of(GPU, GpuCondition.OK);
        return new GpuPoll(
                GPU,
                Optional.of(PCI),
                GpuCondition.OK,
                recoveryAction,
                rows,
                none.banks(),
                none.memory(),
                none.throttle(),
                none.pcie(),
                none.nvlinks(),
                none.fabric(),
                none.isMigModePending(),
                none.instances());
    }

    GpuPoll with(GpuPoll.Memory memory) {
        GpuPoll poll = good();
        return new GpuPoll(
                poll.uuid(),
                poll.pci(),
                poll.condition(),
                poll.recoveryAction(),
                poll.rowRemap(),
                poll.banks(),
                memory,
                poll.throttle(),
                poll.pcie(),
                poll.nvlinks(),
                poll.fabric(),
                poll.isMigModePending(),
                poll.instances());
    }

    static GpuPoll.Memory ecc(long corrected, long uncorrected) {
        return new GpuPoll.Memory(
                OptionalLong.of(corrected),
                OptionalLong.of(uncorrected),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    GpuPoll withLinks(GpuPoll.Pcie pcie, List<GpuPoll.Nvlink> links, Optional<GpuPoll.Fabric> fabric) {
        GpuPoll poll = good();
        return new GpuPoll(
                poll.uuid(),
                poll.pci(),
                poll.condition(),
                poll.recoveryAction(),
                poll.rowRemap(),
                poll.banks(),
                poll.memory(),
                poll.throttle(),
                pcie,
                links,
                fabric,
                poll.isMigModePending(),
                poll.instances());
    }

    GpuPoll withThrottle(long thermal, long powerBrake) {
        GpuPoll poll = good();
        return new GpuPoll(
                poll.uuid(),
                poll.pci(),
                poll.condition(),
                poll.recoveryAction(),
                poll.rowRemap(),
                poll.banks(),
                poll.memory(),
                new GpuPoll.Throttle(OptionalLong.of(thermal), OptionalLong.of(powerBrake)),
                poll.pcie(),
                poll.nvlinks(),
                poll.fabric(),
                poll.isMigModePending(),
                poll.instances());
    }

    GpuPoll withMig(Optional<Boolean> isPending, Map<Integer, String> instances) {
        GpuPoll poll = good();
        return new GpuPoll(
                poll.uuid(),
                poll.pci(),
                poll.condition(),
                poll.recoveryAction(),
                Optional.empty(),
                poll.banks(),
                poll.memory(),
                poll.throttle(),
                poll.pcie(),
                poll.nvlinks(),
                poll.fabric(),
                isPending,
                Optional.of(instances));
    }

    GpuPoll other(GpuCondition condition) {
        GpuPoll poll = GpuPoll.of(OTHER, condition);
        return new GpuPoll(
                OTHER,
                Optional.of(OTHER_PCI),
                condition,
                OptionalInt.of(0),
                poll.rowRemap(),
                poll.banks(),
                poll.memory(),
                poll.throttle(),
                poll.pcie(),
                poll.nvlinks(),
                poll.fabric(),
                poll.isMigModePending(),
                poll.instances());
    }

    public NodeHealth view() {
        return NodeView.of(facts, now(), XidCatalogue.builtIn());
    }

    Verdict verdict() {
        return verdict(GPU);
    }

    Verdict verdict(String gpu) {
        return view().gpus().stream()
                .filter(verdict -> verdict.gpu().equals(gpu))
                .findFirst()
                .orElseThrow();
    }

    /** "state action", and the codes of the reasons that count. */
    String said() {
        return said(verdict());
    }

    static String said(Verdict verdict) {
        String reasons = verdict.reasons().stream()
                .filter(reason -> reason.acknowledged().isEmpty())
                .map(HealthReason::code)
                .reduce("", (one, other) -> one + " " + other);
        return verdict.state().label() + " " + verdict.action().label() + reasons;
    }

    String saidOfNode() {
        NodeHealth node = view();
        return node.state().label()
                + " "
                + node.action().label()
                + node.reasons().stream().map(HealthReason::code).reduce("", (one, other) -> one + " " + other);
    }

    Incident incident(String code) {
        return view().incidents().stream()
                .filter(incident -> incident.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no incident " + code + " in " + view().incidents()));
    }

    long count(int xid) {
        return verdict().xids().stream()
                .filter(count -> count.xid() == xid)
                .mapToLong(count -> count.count())
                .sum();
    }
}
