// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.mig.Ownership;
import io.gpuagent.nvml.sim.Hang;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a boot takes is made again: over simulated cards that keep their mode (Ampere) and such as lose it (Hopper). */
class RestoreIT {
    @TempDir
    Path folder;

    private List<String> ours = List.of();

    /** A card whose mode we turned on, with a layout of ours and somebody else's instance. */
    private MigScene cutUp(String profile, String small, String half) throws Exception {
        MigScene scene = MigScene.off(profile, folder);
        scene.done(new MigRequest.Mode(scene.gpu(), true, false));
        scene.done(scene.apply(half, small));
        ours = scene.layout();
        int free = ours.contains(half + "@0") ? 4 : 0;
        scene.mig().create(small, free, small);
        return scene;
    }

    private Outcome.Changed restore(MigScene scene) {
        return scene.done(new MigRequest.Restore(scene.gpu()));
    }

    /** k8s-device-plugin 225 and 343: all was lost at reboot. */
    @ParameterizedTest
    @CsvSource({"h200,1g.18gb,3g.71gb,false", "a100-40gb,1g.5gb,3g.20gb,true"})
    void behindABootTheModeAndOurInstancesAreMadeAgainAtTheirPlaces(
            String profile, String small, String half, boolean keepsMode) throws Exception {
        MigScene scene = cutUp(profile, small, half);
        scene.reboot();
        assertThat(scene.state().facts().enabled()).isEqualTo(keepsMode);

        restore(scene);

        assertThat(scene.state().facts().enabled()).isTrue();
        assertThat(scene.layout()).isEqualTo(ours).hasSize(2);
        assertThat(scene.state().facts().gpu().instances())
                .extracting(instance -> instance.ownership())
                .containsOnly(Ownership.OWN);
        assertThat(AuditLines.read(folder.resolve("log/audit.log")).getLast())
                .containsEntry("verb", "mig-restore")
                .containsEntry("result", "done");
    }

    @Test
    void aReloadOfTheDriverIsLikeABoot() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        scene.reload();

        restore(scene);

        assertThat(scene.layout()).hasSize(2);
    }

    @Test
    void computeInstancesComeBackAtTheirPlacesToo() throws Exception {
        MigScene scene = MigScene.with("h200", folder);
        int half = scene.mig().create("3g.71gb", 4, "2c.3g.71gb", "1c.3g.71gb");
        scene.done(new MigRequest.Adopt(scene.gpu(), half));
        scene.done(new MigRequest.Mode(scene.gpu(), true, false));
        String before = scene.state().facts().gpu().layout();
        scene.reboot();

        restore(scene);

        assertThat(scene.state().facts().gpu().layout()).isEqualTo(before);
    }

    @Test
    void itHappensOnceForEachLoad() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        scene.reboot();
        restore(scene);
        scene.layout()
                .forEach(instance -> scene.mig()
                        .destroy(scene.state()
                                .facts()
                                .gpu()
                                .instances()
                                .getFirst()
                                .id()));

        assertThat(restore(scene).lines()).containsExactly("GPU 0 was looked at already since the driver was loaded");
        assertThat(scene.layout()).isEmpty();
    }

    @Test
    void aGpuThatHasSomethingIsLeftAlone() throws Exception {
        MigScene scene = cutUp("a100-40gb", "1g.5gb", "3g.20gb");
        scene.reboot();
        scene.mig().create("1g.5gb", 0, "1g.5gb");

        assertThat(restore(scene).lines()).containsExactly("GPU 0 has 1 instance already, so it is left as it is");
        assertThat(scene.layout()).containsExactly("1g.5gb@0");
    }

    @Test
    void aGpuOnWhichSomethingRunsIsLeftAlone() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        scene.reboot();
        scene.driver
                .gpu(0)
                .start(new SimulatedProcess(SimulatedProcess.FIRST_PID, SimulatedProcess.Kind.COMPUTE, 1 << 20));

        assertThat(restore(scene).lines()).containsExactly("1 process runs on GPU 0, so it is left as it is");
        assertThat(scene.state().facts().enabled()).isFalse();
    }

    @Test
    void aModeThatOthersTurnedOnIsTheirBusiness() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        scene.reboot();

        assertThat(restore(scene).lines())
                .containsExactly("MIG mode is off on GPU 0, and gpu-agent did not turn it on before");
        assertThat(scene.state().facts().enabled()).isFalse();
    }

    @Test
    void aModeThatWeTurnedOffAgainStaysOff() throws Exception {
        MigScene scene = MigScene.off("h200", folder);
        scene.done(new MigRequest.Mode(scene.gpu(), true, false));
        scene.done(new MigRequest.Mode(scene.gpu(), false, false));
        scene.reboot();

        assertThat(restore(scene).lines()).containsExactly("GPU 0 has nothing of gpu-agent's to be made again");
        assertThat(scene.state().facts().enabled()).isFalse();
    }

    @Test
    void anEmptyCardThatWeTurnedOnIsOnAgain() {
        MigScene scene = MigScene.off("h200", folder);
        scene.done(new MigRequest.Mode(scene.gpu(), true, false));
        scene.reboot();

        restore(scene);

        assertThat(scene.state().facts().enabled()).isTrue();
    }

    /** A boot in the middle of a change: what that had made and destroyed is gone alike. */
    @Test
    void aChangeThatABootCutOffLeavesTheLayoutBeforeIt() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        MigRequest.Apply apply = scene.apply("1g.18gb", "2g.35gb");
        Hang hang = scene.driver.hang("nvmlGpuInstanceDestroy");
        CompletableFuture<Answer> cutOff =
                CompletableFuture.supplyAsync(() -> scene.port().perform(apply, Caller.silent()));
        hang.awaitHeld(1);
        MigScene after = scene.copied(folder.resolve("copy"));
        after.reboot();

        restore(after);

        assertThat(after.layout()).isEqualTo(ours);
        assertThat(cutOff).isNotDone();
        hang.release();
        DirectPort.awaitChanges(Duration.ofSeconds(30));
    }

    @Test
    void whatCannotBeMadeAgainIsToldAndTriedAgainLater() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        scene.reboot();
        scene.driver.gpu(0).answer("nvmlDeviceCreateGpuInstanceWithPlacement", 23);

        Answer.Refused refused = scene.refused(new MigRequest.Restore(scene.gpu()));
        scene.driver.gpu(0).heal();

        assertThat(refused.code()).isEqualTo(RefusalCode.FAILED);
        assertThat(refused.sentence()).endsWith("the GPU is empty again");
        restore(scene);
        assertThat(scene.layout()).hasSize(2);
    }

    /** mig-parted 8: boot hung. */
    @Test
    void aHungDriverHoldsTheBootNoLongerThanTheBound() throws Exception {
        MigScene scene = cutUp("h200", "1g.18gb", "3g.71gb");
        scene.reboot();
        Hang hang = scene.driver.hang("nvmlInit_v2");
        CompletableFuture<Answer> answer =
                CompletableFuture.supplyAsync(() -> scene.ask(new MigRequest.Restore(scene.gpu())));
        hang.awaitHeld(1);

        scene.clock.advance(Duration.ofMinutes(2));

        assertThat(answer.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.OUTCOME_UNKNOWN));
        hang.release();
        DirectPort.awaitChanges(Duration.ofSeconds(30));
    }

    @Test
    void withoutADriverNothingIsTried() {
        MigScene scene = MigScene.off("h200", folder);
        scene.driver.life().unload();

        assertThat(scene.refused(new MigRequest.Restore(scene.gpu())))
                .isEqualTo(new Answer.Refused(
                        RefusalCode.NOT_SUPPORTED, "no NVIDIA driver is loaded, so no layout is made again"));
    }
}
