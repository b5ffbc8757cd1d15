// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.RecordedModes;
import io.gpuagent.host.HostView;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.sim.SimulatedDevice;
import io.gpuagent.mps.sim.SimulatedMachine;
import io.gpuagent.mps.supervise.ChangeRefused;
import io.gpuagent.mps.supervise.ClientEnvironments;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.GpuUse;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.ProcessOwners;
import io.gpuagent.mps.supervise.SupervisionFolders;
import io.gpuagent.mps.supervise.SupervisionPorts;
import io.gpuagent.mps.supervise.SupervisionSetup;
import io.gpuagent.mps.supervise.Surroundings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervised MPS daemon on an instance that a change destroys: over simulated daemons and a simulated GPU. */
class MpsOnInstancesIT {
    private static final String SMALL = "1g.18gb@0";
    private static final Share QUARTER = Share.UNLIMITED.withThreads(ThreadPercentage.parse("25"));

    @TempDir
    Path folder;

    private MigScene scene;
    private SimulatedMachine machine;
    private boolean isBroken;

    @BeforeEach
    void aDaemonOnAnInstanceOfOurs() throws Exception {
        scene = MigScene.ours("h200", folder, SMALL);
        machine = new SimulatedMachine(
                List.of(SimulatedDevice.H200), MpsOnInstancesIT::device, 0, Duration.ZERO, scene.clock);
        scene.daemons = this::supervision;
        supervision().start(new DaemonWish("a", List.of(uuid(SMALL)), QUARTER, false, false), step -> {});
    }

    private static Optional<SimulatedDevice> device(String uuid) {
        return uuid.startsWith("MIG-")
                ? Optional.of(new SimulatedDevice(uuid, "NVIDIA H200 MIG 1g.18gb", "0000:00.06.00", 16, 17L << 30))
                : Optional.empty();
    }

    /** As the helper has it: opened for each change, and looking once. */
    private MpsSupervision supervision() throws ChangeRefused {
        if (isBroken) {
            throw new ChangeRefused(ChangeRefused.Kind.FAILED, "systemd does not answer");
        }
        return MpsSupervision.open(new SupervisionSetup(
                new SupervisionFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log")),
                new SupervisionPorts(
                        machine.launcher(),
                        machine.transports(),
                        machine.processes(),
                        new RecordedModes(),
                        GpuUse.UNKNOWN,
                        ProcessOwners.UNKNOWN,
                        ClientEnvironments.UNREADABLE,
                        Surroundings.UNSEEN),
                new HostView(Path.of("/"), Map.of("PATH", "/usr/bin:/bin"), 0),
                scene.clock,
                ZoneOffset.UTC,
                false,
                SupervisionSetup.DEFAULT_LOG_CAP_BYTES));
    }

    private String uuid(String instance) {
        return scene.state().facts().devicesOf(scene.id(instance)).stream()
                .map(MigDeviceFacts::uuid)
                .findFirst()
                .orElseThrow();
    }

    private MpsDaemonView daemon() throws ChangeRefused {
        return supervision().view().daemons().getFirst();
    }

    private Answer applyUpTo(int steps, String... wanted) throws Exception {
        int[] asked = new int[1];
        return scene.port().perform(scene.apply(wanted), new Caller() {
            @Override
            public void progress(String sentence) {}

            @Override
            public boolean quiesce(List<String> gpus) {
                return true;
            }

            @Override
            public boolean goOn() {
                return ++asked[0] <= steps;
            }
        });
    }

    @Test
    void itIsStoppedBeforeItsInstanceGoesAndStaysStoppedWhereNoneLiesThereAfterwards() throws Exception {
        Outcome.Changed changed = scene.done(scene.apply("3g.71gb", "3g.71gb"));

        assertThat(changed.lines()).containsExactly("the MPS daemon a stays stopped, since its instance is gone");
        assertThat(daemon().pid()).isEmpty();
        assertThat(scene.layout()).containsExactly("3g.71gb@0", "3g.71gb@4");
        assertThat(scene.state().unfinished()).isEmpty();
    }

    @Test
    void itRunsAgainOnTheDeviceOfNowWhereTheChangeIsBroughtBack() throws Exception {
        Answer answer = applyUpTo(3, "3g.71gb", "3g.71gb");

        assertThat(answer)
                .isEqualTo(
                        new Answer.Refused(RefusalCode.CANCELLED, "the change was cancelled; all is as it was before"));
        assertThat(scene.layout()).containsExactly(SMALL);
        assertThat(daemon().pid()).isPresent();
        assertThat(daemon().devices()).containsExactly(uuid(SMALL));
        assertThat(daemon().wanted()).isEqualTo(QUARTER);
    }

    @Test
    void oneWithAClientIsNotStoppedAndNothingIsTouched() throws Exception {
        MigRequest.Apply apply = scene.apply("3g.71gb", "3g.71gb");
        machine.join(DaemonFolders.of(folder.resolve("run"), folder.resolve("log"), "a"), 0, "python3", Map.of());

        Answer.Refused refused = scene.refused(apply);

        assertThat(refused.code()).isEqualTo(RefusalCode.IN_USE);
        assertThat(refused.sentence()).startsWith("the MPS daemon a stands on an instance that is to go: ");
        assertThat(scene.destructions()).isZero();
        assertThat(daemon().pid()).isPresent();
    }

    @Test
    void oneThatCouldNotBeStartedAgainIsRememberedAndARecoveryStartsIt() throws Exception {
        int[] asked = new int[1];
        Answer answer = scene.port().perform(scene.apply("3g.71gb", "3g.71gb"), new Caller() {
            @Override
            public void progress(String sentence) {}

            @Override
            public boolean quiesce(List<String> gpus) {
                return true;
            }

            @Override
            public boolean goOn() {
                isBroken = true;
                return ++asked[0] < 2;
            }
        });
        isBroken = false;

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.sentence()).endsWith("systemd does not answer"));
        assertThat(daemon().pid()).isEmpty();
        assertThat(scene.state().unfinished())
                .contains("stopped for a change and not started again: MPS daemon a; a recovery starts them");
        assertThat(scene.done(new MigRequest.Recover(scene.gpu())).lines())
                .containsExactly("daemons were started again");
        assertThat(daemon().pid()).isPresent();
        assertThat(scene.state().unfinished()).isEmpty();
    }
}
