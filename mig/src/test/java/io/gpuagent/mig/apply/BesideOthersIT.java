// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans carried out beside others: foreign instances, clients that start meanwhile, other tools, MPS daemons. */
class BesideOthersIT {
    @TempDir
    Path folder;

    @Test
    void aForeignInstanceSurvivesTheStartAndEveryPlan() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.35gb@6");

        assertThat(rig.executor().recover(Progress.NONE)).isEmpty();
        assertThat(rig.driver.calls().ofAllWith("Destroy")).isZero();
        assertThat(rig.apply("3g.71gb")).isInstanceOf(ApplyResult.Done.class);

        assertThat(rig.layout()).containsExactly("3g.71gb@0", "1g.35gb@6");
        assertThat(rig.driver.calls().ofAllWith("Destroy")).isZero();
        assertThat(rig.outcome("7g.141gb")).isInstanceOf(Impossible.class);
    }

    @Test
    void aLayoutThatChangedSinceThePlanIsRefusedWithWhatDiffers() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("3g.71gb");
        rig.cut("1g.18gb@6");

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result)
                .isEqualTo(new ApplyResult.Refused(
                        MigException.Cause.CHANGED,
                        "somebody else changed the layout of GPU 0: 1g.18gb at 6 has come, a compute instance of "
                                + "1g.18gb at 6 has come"));
        assertThat(rig.layout()).containsExactly("1g.18gb@0", "1g.18gb@6");
    }

    @Test
    void aLayoutThatChangesInBetweenIsNoticedBehindTheStepAndTheForeignInstanceStays() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("3g.71gb");
        Progress other = event -> {
            if (event.kind() == Progress.Kind.BEGUN
                    && event.step() == 2
                    && rig.layout().size() == 1) {
                rig.cut("1g.18gb@6");
            }
        };

        ApplyResult result = rig.executor().apply(plan, other, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(((ApplyResult.RolledBack) result).why()).contains("1g.18gb at 6 has come");
        assertThat(rig.layout()).containsExactly("1g.18gb@0", "1g.18gb@6");
        assertThat(rig.executor().read().gpu().instances())
                .extracting(instance -> instance.ownership())
                .containsExactly(Ownership.OWN, Ownership.FOREIGN);
    }

    @Test
    void aClientThatStartsBetweenPlanAndApplyKeepsItsInstance() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@1");
        rig.adopt("1g.18gb@0", "1g.18gb@1");
        Plan plan = rig.plan("3g.71gb", "3g.71gb");
        rig.busy("1g.18gb@1");

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.Refused.class);
        assertThat(((ApplyResult.Refused) result).why()).startsWith("GPU instance 8 (1g.18gb at 1) is busy: process");
        assertThat(rig.driver.calls().ofAllWith("Destroy")).isZero();
    }

    @Test
    void aClientThatStartsDuringTheChangeKeepsItsInstanceAndAllIsBroughtBack() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@1");
        rig.adopt("1g.18gb@0", "1g.18gb@1");
        Plan plan = rig.plan("3g.71gb", "3g.71gb");
        Progress client = event -> {
            if (event.kind() == Progress.Kind.DONE && event.step() == 2) {
                rig.busy("1g.18gb@1");
            }
        };

        ApplyResult result = rig.executor().apply(plan, client, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(rig.layout()).containsExactly("1g.18gb@0", "1g.18gb@1");
        assertThat(rig.changes())
                .filteredOn(call -> call.equals("ComputeInstanceDestroy=19"))
                .hasSize(10);
    }

    @Test
    void foreignInstancesAreNotDestroyedEvenIfAPlanSaysSo() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("7g.141gb");
        MigRig other = new MigRig(rig.driver, folder.resolve("other"));

        ApplyResult result = other.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result)
                .isEqualTo(new ApplyResult.Refused(
                        MigException.Cause.HELD,
                        "GPU instance 7 (1g.18gb at 0) is not gpu-agent's; adopt it to have it destroyed"));
        assertThat(rig.layout()).containsExactly("1g.18gb@0");
    }

    @Test
    void ofTwoAppliersAtOnceOneIsRefused() throws Exception {
        MigRig rig = MigRig.with("h200", folder);
        Plan plan = rig.plan("3g.71gb");
        List<ApplyResult> second = new ArrayList<>();
        Progress meanwhile = event -> {
            if (second.isEmpty()) {
                second.add(rig.executor().apply(plan, Progress.NONE, () -> false));
            }
        };

        assertThat(rig.executor().apply(plan, meanwhile, () -> false)).isInstanceOf(ApplyResult.Done.class);

        assertThat(second)
                .containsExactly(new ApplyResult.Refused(
                        MigException.Cause.HELD,
                        "another change of GPU 0 is under way in process "
                                + ProcessHandle.current().pid() + "; wait for its end"));
        assertThat(rig.layout()).containsExactly("3g.71gb@4");
    }

    @Test
    void mpsDaemonsEndBeforeTheirInstanceAndStartAgainWithWhatIsThereBehindTheChange() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@6");
        rig.adopt("1g.18gb@0", "1g.18gb@6");
        List<String> told = new ArrayList<>();
        Plan plan = rig.plan("3g.71gb", "1g.18gb");
        String going = rig.executor()
                .read()
                .devicesOf(plan.destroyed().getFirst().id())
                .getFirst()
                .uuid();
        rig.ports = new MigPorts(
                gpu -> {
                    told.add("let go");
                    return () -> told.add("take up");
                },
                new MpsTenants() {
                    @Override
                    public void stop(GpuIdentity gpu, MigFacts now, Set<String> uuids) {
                        told.add("stop " + uuids.equals(Set.of(going)));
                    }

                    @Override
                    public void start(GpuIdentity gpu, MigFacts now) {
                        told.add("start on " + now.devices().size() + " devices");
                    }
                },
                Holders.UNSEEN);

        rig.executor().read();
        assertThat(told).as("nobody has to let go for a look").isEmpty();

        ApplyResult result = rig.executor()
                .apply(
                        plan,
                        event -> {
                            if (event.kind() == Progress.Kind.BEGUN && event.step() == 1) {
                                told.add("first step");
                            }
                        },
                        () -> false);

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        assertThat(told).containsExactly("let go", "stop true", "first step", "take up", "start on 2 devices");
    }

    @Test
    void anMpsDaemonThatDoesNotEndStopsTheChangeBeforeAnythingIsTouched() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("3g.71gb", "3g.71gb");
        rig.ports = new MigPorts(
                Quiesce.NOBODY,
                new MpsTenants() {
                    @Override
                    public void stop(GpuIdentity gpu, MigFacts now, Set<String> uuids) throws MigException {
                        throw new MigException(MigException.Cause.HELD, "the MPS daemon of MIG-1 does not end");
                    }

                    @Override
                    public void start(GpuIdentity gpu, MigFacts now) {}
                },
                Holders.UNSEEN);

        assertThat(rig.executor().apply(plan, Progress.NONE, () -> false))
                .isEqualTo(new ApplyResult.Refused(MigException.Cause.HELD, "the MPS daemon of MIG-1 does not end"));
        assertThat(rig.changes()).isEmpty();
        assertThat(rig.executor().recover(Progress.NONE)).as("nothing is open").isEmpty();
    }

    @Test
    void whatOthersTakeAwayMeanwhileIsNotMadeAgain() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@6");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("4g.71gb");
        Progress other = event -> {
            if (event.kind() == Progress.Kind.BEGUN
                    && event.step() == 2
                    && rig.layout().size() == 2) {
                rig.mig().destroy(rig.id("1g.18gb@6"));
            }
        };

        ApplyResult result = rig.executor().apply(plan, other, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(((ApplyResult.RolledBack) result).why()).contains("1g.18gb at 6 is gone");
        assertThat(rig.layout()).containsExactly("1g.18gb@0");
    }

    @Test
    void aPlaceThatOthersTakeMeanwhileStaysTheirsUntilSomebodyHasLookedAtIt() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("4g.71gb");
        Progress other = event -> {
            if (event.kind() == Progress.Kind.BEGUN
                    && event.step() == 3
                    && rig.layout().isEmpty()) {
                rig.cut("1g.35gb@0");
            }
        };

        ApplyResult result = rig.executor().apply(plan, other, () -> false);

        assertThat(result)
                .isInstanceOfSatisfying(
                        ApplyResult.LeftAsItIs.class,
                        left -> assertThat(left.why())
                                .startsWith("NVML returned NVML_ERROR_INSUFFICIENT_RESOURCES when asked to create GPU "
                                        + "instance 4g.71gb at 0; the way back has failed, too: "));
        assertThat(rig.layout()).containsExactly("1g.35gb@0");
        assertThat(rig.executor().apply(plan, Progress.NONE, () -> false)).isInstanceOf(ApplyResult.Refused.class);

        assertThat(rig.executor().abandon().gpu().instances())
                .singleElement()
                .satisfies(instance -> assertThat(instance.ownership()).isEqualTo(Ownership.FOREIGN));

        assertThat(rig.apply("3g.71gb")).isInstanceOf(ApplyResult.Done.class);
        assertThat(rig.layout()).containsExactly("1g.35gb@0", "3g.71gb@4");
    }
}
