// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.Pin;
import io.gpuagent.mig.plan.PinKind;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.nvml.sim.MigHolder;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each reason why an instance must stay: seen, told, and respected by the helper although the requester's plan is older. */
class InstanceUsersIT {
    private static final String SMALL = "1g.18gb@0";
    private static final String[] WANTED = {"3g.71gb", "3g.71gb"};
    private static final String CONTAINER = "0a1b2c3d".repeat(8);

    @TempDir
    Path folder;

    private MigScene scene;
    private HostOnPaper host;
    private PlanId agreed;

    @BeforeEach
    void anIdleInstanceOfOursAndAPlanThatDestroysIt() throws Exception {
        scene = MigScene.ours("h200", folder.resolve("agent"), SMALL);
        host = new HostOnPaper(folder.resolve("root"));
        InstanceUsers users = new InstanceUsers(host.view(), folder.resolve("agent/run/mps"));
        scene.claims = users;
        scene.holders = users;
        agreed = PlanId.of((Plan) scene.plan(WANTED));
    }

    private String uuid() {
        return scene.state().facts().devicesOf(scene.id(SMALL)).stream()
                .map(MigDeviceFacts::uuid)
                .findFirst()
                .orElseThrow();
    }

    /** It is pinned by that alone, and the plan from before is not carried out. */
    private void stays(PinKind kind, String why) throws Exception {
        PlanOutcome outcome = scene.plan(WANTED);
        Answer.Refused refused = scene.refused(scene.apply(agreed, WANTED));

        assertThat(outcome).isInstanceOf(Impossible.class);
        assertThat(outcome.pins()).extracting(Pin::kind).containsOnly(kind);
        assertThat(outcome.pins()).extracting(Pin::why).contains(why);
        assertThat(refused.code()).isEqualTo(RefusalCode.IMPOSSIBLE);
        assertThat(refused.sentence()).contains(why);
        assertThat(scene.destructions()).isZero();
        assertThat(scene.layout()).containsExactly(SMALL);
    }

    private void goes() throws Exception {
        scene.done(scene.apply(WANTED));
        assertThat(scene.layout()).containsExactly("3g.71gb@0", "3g.71gb@4");
    }

    @Test
    void anIdleInstanceGoes() throws Exception {
        goes();
    }

    @Test
    void aProcessThatRunsOnItKeepsItAndIsNamedWithItsUnit() throws Exception {
        int pid = SimulatedProcess.FIRST_PID + 1;
        host.process(pid, "python3", "/system.slice/train.service");
        scene.runs(SMALL, 1, SimulatedProcess.Kind.COMPUTE);

        stays(PinKind.BUSY, "process " + pid + " (python3, unit train.service) runs on it");
    }

    /** Monitors and idle clients are in no process list; DCGM held an instance for ever (DCGM 276). */
    @Test
    void whoeverHoldsItsCapabilityNodeKeepsIt() throws Exception {
        host.process(812, "nv-hostengine", "/system.slice/nvidia-dcgm.service");
        host.opens(812, 9, HostOnPaper.node(scene.id(SMALL), -1));
        host.opens(812, 10, HostOnPaper.node(scene.id(SMALL), 0));

        stays(PinKind.HELD, "process 812 (nv-hostengine, unit nvidia-dcgm.service) holds its capability node open");
    }

    @Test
    void whoHoldsTheNodeOfAnotherInstanceIsNoReason() throws Exception {
        host.process(812, "nv-hostengine", "/system.slice/nvidia-dcgm.service");
        host.opens(812, 9, HostOnPaper.node(13, 0));

        goes();
    }

    @Test
    void aProcessThatNamesItsUuidReservesIt() throws Exception {
        host.process(4711, "jupyter", "/user.slice/session-3.scope");
        host.environment(4711, "SECRET=x", "CUDA_VISIBLE_DEVICES=" + uuid());

        stays(PinKind.RESERVED, "process 4711 (jupyter, unit session-3.scope) names it in CUDA_VISIBLE_DEVICES");
    }

    @Test
    void aNameOfAnOldDriversFormReservesItToo() throws Exception {
        host.process(4711, "sh", "/user.slice/session-3.scope");
        host.environment(4711, "NVIDIA_VISIBLE_DEVICES=MIG-" + scene.gpu() + "/" + scene.id(SMALL) + "/0");

        stays(PinKind.RESERVED, "process 4711 (sh, unit session-3.scope) names it in NVIDIA_VISIBLE_DEVICES");
    }

    @Test
    void namesOfOtherDevicesAndOfAllAreNoReason() throws Exception {
        host.process(4711, "sh", "/user.slice/session-3.scope");
        host.environment(4711, "CUDA_VISIBLE_DEVICES=MIG-00000000-0000-0000-0000-000000000000,0");
        host.process(4712, "sh", "/user.slice/session-3.scope");
        host.environment(4712, "NVIDIA_VISIBLE_DEVICES=all", "CUDA_VISIBLE_DEVICES=MIG-");

        goes();
    }

    @Test
    void aContainerThatWasGivenItsNodesReservesIt() throws Exception {
        host.process(4711, "sleep", "/system.slice/docker-" + CONTAINER + ".scope");
        host.process(4712, "sleep", "/system.slice/docker-" + CONTAINER + ".scope");
        host.gives(4711, HostOnPaper.node(scene.id(SMALL), -1));
        host.gives(4711, HostOnPaper.node(scene.id(SMALL), 0));

        stays(PinKind.RESERVED, "container " + CONTAINER.substring(0, 57) + "... was given it");
    }

    @Test
    void aContainerWithOtherNodesIsNoReason() throws Exception {
        host.process(4711, "sleep", "/system.slice/docker-" + CONTAINER + ".scope");
        host.gives(4711, HostOnPaper.node(13, 0));

        goes();
    }

    @Test
    void whatRanOnItLatelyReservesItUntilTheGraceIsOver() throws Exception {
        scene.lastUses = List.of(new LastUse(scene.id(SMALL), OptionalInt.of(0), Duration.ofMinutes(9)));
        stays(PinKind.RESERVED, "something ran on it 9 min ago");

        scene.lastUses = List.of(new LastUse(scene.id(SMALL), OptionalInt.of(0), Duration.ofMinutes(10)));
        goes();
    }

    @Test
    void aDaemonOfOursWithClientsReservesItAndItsClientKeepsIt() throws Exception {
        daemon(folder.resolve("agent/run/mps/mig-1/pipe").toString());
        scene.runs(SMALL, 2, SimulatedProcess.Kind.MPS);

        PlanOutcome outcome = scene.plan(WANTED);

        assertThat(outcome.pins()).extracting(Pin::kind).containsExactlyInAnyOrder(PinKind.BUSY, PinKind.RESERVED);
        assertThat(outcome.pins())
                .extracting(Pin::why)
                .contains(
                        "the MPS daemon, process 812 (nvidia-cuda-mps, unit mps.service), stands on it with 1 client");
        assertThat(scene.refused(scene.apply(agreed, WANTED)).code()).isEqualTo(RefusalCode.IMPOSSIBLE);
    }

    @Test
    void aDaemonOfOursWithoutClientsIsNoReasonAndNeitherIsItsServer() throws Exception {
        daemon(folder.resolve("agent/run/mps/mig-1/pipe").toString());
        host.opens(SimulatedProcess.FIRST_PID + 1L, 5, HostOnPaper.node(scene.id(SMALL), 0));

        PlanOutcome outcome = scene.plan(WANTED);

        assertThat(outcome).isInstanceOf(Plan.class);
        assertThat(outcome.pins()).isEmpty();
    }

    @Test
    void aDaemonOfOthersIsAProgramLikeAnyOther() throws Exception {
        daemon("/tmp/nvidia-mps");

        PlanOutcome outcome = scene.plan(WANTED);

        assertThat(outcome.pins()).extracting(Pin::kind).contains(PinKind.BUSY, PinKind.RESERVED);
        assertThat(outcome).isInstanceOf(Impossible.class);
    }

    /** A daemon on the instance, with a server that holds it. */
    private void daemon(String pipe) throws Exception {
        int server = SimulatedProcess.FIRST_PID + 1;
        for (long pid : List.of(812L, (long) server)) {
            host.process(
                    pid,
                    pid == server ? "nvidia-cuda-mps-server" : "nvidia-cuda-mps-control",
                    "/system.slice/mps.service");
            host.environment(pid, "CUDA_MPS_PIPE_DIRECTORY=" + pipe, "CUDA_VISIBLE_DEVICES=" + uuid());
        }
        scene.runs(SMALL, 1, SimulatedProcess.Kind.MPS_SERVER);
    }

    @Test
    void whoIsToBeKeptStays() throws Exception {
        scene.rules = PinRules.STANDARD.keeping(Set.of(scene.id(SMALL)));

        stays(PinKind.KEEP, "you want it left as it is");
    }

    @Test
    void reservedInstancesMayGoWhereTheUserSaysSo() throws Exception {
        host.process(4711, "jupyter", "/user.slice/session-3.scope");
        host.environment(4711, "CUDA_VISIBLE_DEVICES=" + uuid());
        scene.rules = PinRules.STANDARD.includingReserved();

        goes();
    }

    @Test
    void inAContainerWithoutTheHostsProcessesNothingIsTakenForFree() throws Exception {
        host.namespace("pid:[4026532774]");

        stays(
                PinKind.UNKNOWN,
                "who uses it cannot be seen: this container sees its own processes alone; give it the host's pid"
                        + " namespace");
        scene.rules = PinRules.STANDARD.includingUnknown();
        goes();
    }

    /** GH200 and its like: the first instance needs an idle GPU, and a profiler holds it. */
    @Test
    void whoKeepsAnEmptyGpuFromItsFirstInstanceIsNamedFromItsNode() throws Exception {
        scene.done(scene.apply());
        host.process(4711, "nsys", "/user.slice/session-3.scope");
        host.opens(4711, 4, "/dev/nvidia0");
        MigRequest.Apply apply = scene.apply("7g.141gb");

        Answer.Refused refused;
        try (MigHolder _ = scene.mig().hold()) {
            refused = scene.refused(apply);
        }

        assertThat(refused.code()).isEqualTo(RefusalCode.FAILED);
        assertThat(refused.sentence()).contains("process 4711 (nsys, unit session-3.scope) has it open");
        assertThat(scene.layout()).isEmpty();
    }

    /** mig-parted 181 and GPU operator 118: nvidia-persistenced keeps an Ampere card from its mode. */
    @Test
    void whoKeepsAGpuFromItsModeIsNamedFromItsNode() throws Exception {
        MigScene ampere = MigScene.off("a100-40gb", folder.resolve("ampere"));
        ampere.holders = new InstanceUsers(host.view(), folder.resolve("mps"));
        host.minor(ampere.gpu(), 0);
        host.process(812, "nvidia-persistenced", "/system.slice/nvidia-persistenced.service");
        host.opens(812, 4, "/dev/nvidia0");

        Answer.Refused refused;
        try (MigHolder _ = ampere.mig().hold()) {
            refused = ampere.refused(new MigRequest.Mode(ampere.gpu(), true, false));
        }

        assertThat(refused.sentence())
                .contains(
                        "process 812 (nvidia-persiste, unit nvidia-persistenced.service) has it open; stop it, then try"
                                + " again");
        assertThat(ampere.state().facts().pending()).isFalse();
    }
}
