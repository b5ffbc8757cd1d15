// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import io.gpuagent.control.Answer;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.apply.History;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.apply.SavedLayout;
import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Every message about MIG, with every member that can be absent once there and once not. */
final class MigMessages {
    static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final OptionalInt NONE = OptionalInt.empty();

    private MigMessages() {}

    static Stream<Message> all() {
        PlanId plan = PlanId.parse("0123456789abcdef-fedcba9876543210");
        PinRules rules = new PinRules(true, true, Duration.ofSeconds(90), Set.of(3, 1));
        List<LastUse> uses =
                List.of(new LastUse(3, NONE, Duration.ofMinutes(2)), new LastUse(1, OptionalInt.of(0), Duration.ZERO));
        List<InstanceRequest> wanted = List.of(
                new InstanceRequest("1g.18gb", 2, NONE, Optional.empty()),
                new InstanceRequest(
                        "3g.71gb",
                        1,
                        OptionalInt.of(4),
                        Optional.of(List.of(
                                new ComputeRequest("1c.3g.71gb", OptionalInt.of(2)),
                                new ComputeRequest("2c.3g.71gb", NONE)))),
                new InstanceRequest("id:15", 1, NONE, Optional.of(List.of())));
        Stream<MigRequest> requests = Stream.of(
                new MigRequest.Read(GPU, uses),
                new MigRequest.Apply(GPU, plan, wanted, rules, uses),
                new MigRequest.Apply(GPU, plan, List.of(), PinRules.STANDARD, List.of()),
                new MigRequest.Rollback(GPU, plan, rules, uses),
                new MigRequest.Mode(GPU, true, false),
                new MigRequest.Adopt(GPU, 3),
                new MigRequest.Repair(GPU, 3, MigRequest.Repair.How.REMOVE),
                new MigRequest.Recover(GPU),
                new MigRequest.Restore(GPU),
                new MigRequest.Abandon(GPU));
        return Stream.concat(
                requests.map(Message.Ask::new),
                Stream.of(
                        new Message.MayGoOn(),
                        new Message.GoOn(false),
                        new Message.Result(new Answer.Done(new Outcome.Mig(cutUp()))),
                        new Message.Result(new Answer.Done(new Outcome.Mig(off())))));
    }

    /** A card with an instance of each kind of use. */
    private static MigState cutUp() {
        GpuProfile half = new GpuProfile(
                9,
                "3g.71gb",
                3,
                2,
                60,
                new Engines(3, 3, 0, 3, 0),
                71424,
                List.of(new Placement(0, 4), new Placement(4, 4)),
                List.of(
                        new ComputeProfile(0, "1c.3g.71gb", 1, 16, List.of(new Placement(0, 1), new Placement(1, 1))),
                        new ComputeProfile(2, "3g.71gb", 3, 60, List.of())));
        GpuProfile small = new GpuProfile(
                19, "1g.18gb", 1, 7, 16, new Engines(1, 1, 0, 1, 0), 16384, List.of(new Placement(0, 1)), List.of());
        Holder python = Holder.process(4711, "python");
        List<Claim> claims = List.of(
                new Claim.Runs(python, OptionalInt.of(0)),
                new Claim.HoldsNode(
                        new Holder(OptionalLong.of(2), "a) b", Optional.of("a.service"), Optional.empty()), NONE),
                new Claim.NamesDevice(python, OptionalInt.of(1), "NVIDIA_VISIBLE_DEVICES"),
                new Claim.InContainer(
                        new Holder(OptionalLong.empty(), "", Optional.empty(), Optional.of("0a1b")), OptionalInt.of(0)),
                new Claim.RanLately(Duration.ofSeconds(61), NONE),
                new Claim.MpsDaemon(python, OptionalInt.of(0), 2),
                new Claim.NotVisible("other users' processes need root"));
        GpuInstance used = new GpuInstance(
                1,
                half,
                new Placement(4, 4),
                List.of(
                        new ComputeInstance(0, 0, "1c.3g.71gb", 1, Optional.of(new Placement(2, 1))),
                        new ComputeInstance(1, 0, "1c.3g.71gb", 1, Optional.empty())),
                Ownership.OWN,
                claims);
        GpuInstance halfMade = new GpuInstance(7, small, new Placement(0, 1), List.of(), Ownership.FOREIGN, List.of());
        MigGpu gpu = new MigGpu(
                new GpuIdentity(2, GPU), "NVIDIA H200", new MigCard(List.of(half, small)), List.of(used, halfMade));
        return new MigState(
                new MigFacts(
                        true,
                        true,
                        gpu,
                        List.of(new MigDeviceFacts(1, 0, "MIG-01234567-89ab-cdef-0123-456789abcdef")),
                        true),
                Optional.of("a change from 10:00 was cut off"),
                Optional.of("the file is damaged"),
                List.of(new History.Entry(
                        1796119200000L,
                        Instant.parse("2026-12-01T10:00:00Z"),
                        new SavedLayout(List.of()),
                        SavedLayout.of(gpu))));
    }

    private static MigState off() {
        GpuProfile whole =
                new GpuProfile(0, "7g.141gb", 7, 1, 132, Engines.NONE, 143360, List.of(new Placement(0, 8)), List.of());
        MigGpu gpu = new MigGpu(new GpuIdentity(0, GPU), "NVIDIA H200", new MigCard(List.of(whole)), List.of());
        return new MigState(
                new MigFacts(false, false, gpu, List.of(), false), Optional.empty(), Optional.empty(), List.of());
    }
}
