// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every request about MIG through the port, over the binding and a simulated GPU. */
class MigPortIT {
    @TempDir
    Path folder;

    private static final class Listener implements Caller {
        private final List<String> heard = new ArrayList<>();
        private final int most;

        Listener(int most) {
            this.most = most;
        }

        @Override
        public void begun() {
            heard.add("begun");
        }

        @Override
        public void progress(String sentence) {
            heard.add(sentence);
        }

        @Override
        public boolean quiesce(List<String> gpus) {
            heard.add("quiesce");
            return true;
        }

        @Override
        public boolean goOn() {
            return heard.stream().filter(each -> each.endsWith(": done")).count() < most;
        }
    }

    @Test
    void aPlanThatWasAgreedToIsCarriedOutStepByStep() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        Listener listener = new Listener(100);

        Answer answer = scene.port().perform(scene.apply("3g.71gb", "3g.71gb"), listener);

        assertThat(answer).isInstanceOf(Answer.Done.class);
        assertThat(scene.layout()).containsExactly("3g.71gb@0", "3g.71gb@4");
        assertThat(listener.heard)
                .startsWith("quiesce", "begun")
                .contains(
                        "1/6 destroy compute instance 0 of GPU instance 7 (1g.18gb at 0): done",
                        "6/6 create the full compute instance of GPU instance 2 (3g.71gb at 4): done");
        assertThat(scene.state().history()).hasSize(1);
    }

    @Test
    void eachChangeHasItsLinesInTheAuditLogAndAReadingHasNone() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        scene.done(scene.apply("3g.71gb", "3g.71gb"));

        assertThat(AuditLines.read(folder.resolve("log/audit.log")))
                .extracting(line -> line.get("verb"), line -> line.get("phase"), line -> line.get("after"))
                .containsExactly(
                        tuple("mig-adopt", "begun", null),
                        tuple("mig-adopt", "ended", "7:1g.18gb@0[0:1g.18gb@0]"),
                        tuple("mig-apply", "begun", null),
                        tuple("mig-apply", "ended", "1:3g.71gb@0[0:3g.71gb@0] 2:3g.71gb@4[0:3g.71gb@0]"));
    }

    @Test
    void aPlanForALayoutThatHasChangedIsStale() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        MigRequest.Apply apply = scene.apply("3g.71gb");
        scene.mig().create("1g.18gb", 6, "1g.18gb");

        assertThat(scene.refused(apply))
                .isEqualTo(new Answer.Refused(
                        RefusalCode.STALE,
                        "the layout of GPU 0 has changed since the plan was made; it is 7:1g.18gb@0[0:1g.18gb@0]"
                                + " 13:1g.18gb@6[0:1g.18gb@0] now: plan anew"));
        assertThat(scene.destructions()).isZero();
    }

    @Test
    void aPlanThatWouldBeAnotherOneBecauseSomethingRunsNowIsStaleToo() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0", "1g.18gb@6");
        MigRequest.Apply apply = scene.apply("1g.18gb", "3g.71gb");
        String going = ((Plan) scene.plan("1g.18gb", "3g.71gb"))
                                .destroyed()
                                .getFirst()
                                .placement()
                                .start()
                        == 0
                ? "1g.18gb@0"
                : "1g.18gb@6";
        scene.runs(going, 1, SimulatedProcess.Kind.COMPUTE);

        Answer.Refused refused = scene.refused(apply);

        assertThat(refused.code()).isEqualTo(RefusalCode.STALE);
        assertThat(refused.sentence())
                .startsWith("who uses GPU 0 has changed since the plan was made, and it would be another one now (");
        assertThat(scene.destructions()).isZero();
    }

    @Test
    void aRequesterWhoCallsItOffHasEverythingBroughtBack() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        Listener listener = new Listener(2);

        Answer answer = scene.port().perform(scene.apply("3g.71gb", "3g.71gb"), listener);

        assertThat(answer)
                .isEqualTo(
                        new Answer.Refused(RefusalCode.CANCELLED, "the change was cancelled; all is as it was before"));
        assertThat(listener.heard).contains("going back: the change was cancelled");
        assertThat(scene.layout()).containsExactly("1g.18gb@0");
        assertThat(scene.state().history()).isEmpty();
    }

    @Test
    void whoeverDoesNotLetGoHasNothingReadOrChanged() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0");
        MigRequest.Apply apply = scene.apply("3g.71gb", "3g.71gb");
        Caller busy = new Caller() {
            @Override
            public void progress(String sentence) {}

            @Override
            public boolean quiesce(List<String> gpus) {
                return false;
            }
        };
        long before = scene.driver.calls().ofAllWith("nvml");

        for (MigRequest request : List.of(new MigRequest.Read(scene.gpu(), List.of()), apply)) {
            assertThat(scene.port().perform(request, busy))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_QUIESCED));
        }
        assertThat(scene.driver.calls().ofAllWith("nvml")).isEqualTo(before);
    }

    @Test
    void theLayoutBeforeComesBackByARollback() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0", "1g.18gb@5");
        scene.done(scene.apply("7g.141gb"));
        // As the agent plans the way back: from the history that the port gave.
        var state = scene.state();
        var back = (Plan) new Planner(PinRules.STANDARD)
                .plan(
                        state.facts().gpu(),
                        state.history().getLast().before().wanted(state.facts().gpu()));

        scene.done(new MigRequest.Rollback(scene.gpu(), PlanId.of(back), PinRules.STANDARD, List.of()));

        assertThat(scene.layout()).containsExactly("1g.18gb@0", "1g.18gb@5");
    }

    @Test
    void withoutAChangeThereIsNothingToGoBackTo() {
        MigScene scene = MigScene.with("h200", folder);

        assertThat(scene.refused(new MigRequest.Rollback(
                        scene.gpu(), PlanId.parse("0123456789abcdef-0123456789abcdef"), PinRules.STANDARD, List.of())))
                .isEqualTo(new Answer.Refused(
                        RefusalCode.NOT_FOUND,
                        "no change of the layout of GPU " + scene.gpu() + " is known that could be taken back"));
    }

    /** A foreign instance is moved only once it is adopted (dra-driver-nvidia-gpu: torn down at start). */
    @Test
    void aForeignInstanceStaysUntilItIsAdopted() throws Exception {
        MigScene scene = MigScene.with("h200", folder, "1g.35gb@6");
        PlanId any = PlanId.parse(PlanId.layoutOf(scene.state().facts().gpu()) + "-0123456789abcdef");

        Answer.Refused refused = scene.refused(scene.apply(any, "7g.141gb"));
        scene.done(new MigRequest.Adopt(scene.gpu(), scene.id("1g.35gb@6")));
        scene.done(scene.apply("7g.141gb"));

        assertThat(refused.code()).isEqualTo(RefusalCode.IMPOSSIBLE);
        assertThat(refused.sentence()).endsWith("it was not made or adopted by gpu-agent; adopt it to have it moved");
        assertThat(scene.layout()).containsExactly("7g.141gb@0");
    }

    @Test
    void anInstanceThatIsNotThereCannotBeAdopted() {
        MigScene scene = MigScene.with("h200", folder);

        assertThat(scene.refused(new MigRequest.Adopt(scene.gpu(), 3)))
                .isEqualTo(new Answer.Refused(RefusalCode.NOT_FOUND, "there is no GPU instance 3 on GPU 0 to adopt"));
    }

    /** DRA driver and others leave a GPU instance behind whose compute instance could not be made. */
    @Test
    void aHalfMadeInstanceIsCompletedOrRemoved() {
        MigScene scene = MigScene.with("h200", folder, "1g.18gb@0");
        int half = scene.mig().create("3g.71gb", 4);
        MigRequest.Repair complete = new MigRequest.Repair(scene.gpu(), half, MigRequest.Repair.How.COMPLETE);

        Answer.Refused foreign = scene.refused(complete);
        scene.done(new MigRequest.Adopt(scene.gpu(), half));
        scene.done(complete);

        assertThat(foreign.code()).isEqualTo(RefusalCode.NOT_ALLOWED);
        assertThat(foreign.sentence()).endsWith("is not gpu-agent's; adopt it to have it repaired");
        assertThat(scene.state().facts().gpu().layout())
                .isEqualTo("7:1g.18gb@0[0:1g.18gb@0] " + half + ":3g.71gb@4[0:3g.71gb@0]");
        assertThat(scene.refused(complete).code()).isEqualTo(RefusalCode.BAD_REQUEST);
    }

    @Test
    void aHalfMadeInstanceOfOursCanBeRemovedBesideOthers() {
        MigScene scene = MigScene.with("h200", folder, "1g.18gb@0");
        int half = scene.mig().create("3g.71gb", 4);
        scene.done(new MigRequest.Adopt(scene.gpu(), half));

        scene.done(new MigRequest.Repair(scene.gpu(), half, MigRequest.Repair.How.REMOVE));

        assertThat(scene.layout()).containsExactly("1g.18gb@0");
        assertThat(scene.destructions()).isEqualTo(1);
    }

    /** mig-parted and the GPU operator report "applied" while the mode is only pending. */
    @Test
    void aModeThatOnlyBecomesPendingFailsAndIsSetBack() {
        MigScene scene = MigScene.off("a100-40gb", folder);
        scene.mig().refuseActivation(OptionalInt.of(16));

        Answer.Refused refused = scene.refused(new MigRequest.Mode(scene.gpu(), true, false));

        assertThat(refused.code()).isEqualTo(RefusalCode.FAILED);
        assertThat(refused.sentence())
                .contains("it becomes active when the GPU is reset, or in a virtual machine when that is rebooted")
                .endsWith("the mode was set back to what it was");
        assertThat(scene.state().facts().pending()).isFalse();
    }

    @Test
    void theModeIsTurnedOnAndMayStayPendingWhereThatIsWanted() {
        MigScene on = MigScene.off("h200", folder.resolve("on"));
        MigScene pending = MigScene.off("a100-40gb", folder.resolve("pending"));
        pending.mig().refuseActivation(OptionalInt.of(16));

        assertThat(on.done(new MigRequest.Mode(on.gpu(), true, false)).after()).isEqualTo("MIG on");
        assertThat(pending.done(new MigRequest.Mode(pending.gpu(), true, true)).after())
                .isEqualTo("MIG off, MIG on pending");
        assertThat(pending.state().facts().pending()).isTrue();
    }

    @Test
    void aGpuThatIsNotThereIsTold() {
        MigScene scene = MigScene.with("h200", folder);
        String other = "GPU-01234567-89ab-cdef-0123-456789abcdef";

        assertThat(scene.refused(new MigRequest.Recover(other)).code()).isEqualTo(RefusalCode.NOT_FOUND);
    }

    @Test
    void aCardWithoutMigSaysSo() {
        MigScene scene = MigScene.off("h200", folder);
        scene.driver.gpu(0).answer("nvmlDeviceGetMigMode", 3);

        assertThat(scene.refused(new MigRequest.Read(scene.gpu(), List.of())).code())
                .isEqualTo(RefusalCode.NOT_SUPPORTED);
    }

    @Test
    void ownershipIsPartOfWhatIsRead() {
        MigScene scene = MigScene.with("h200", folder, "1g.18gb@0", "1g.18gb@6");
        scene.done(new MigRequest.Adopt(scene.gpu(), scene.id("1g.18gb@6")));

        assertThat(scene.state().facts().gpu().instances())
                .extracting(instance -> instance.ownership())
                .containsExactly(Ownership.FOREIGN, Ownership.OWN);
    }
}
