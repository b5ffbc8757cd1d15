// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Holder;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.sim.MigHolder;
import io.gpuagent.nvml.sim.Turns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans carried out on simulated cards through the binding; the cases are what users of other tools met. */
class ApplyIT {
    private static final int IN_USE = 19;
    private static final int INSUFFICIENT_RESOURCES = 23;

    @TempDir
    Path folder;

    @Test
    void busyInstancesStayWhereTheyAreWhileTheRestIsCutAnew() throws Exception {
        MigRig rig = MigRig.with("a100-40gb", folder, "2g.10gb@0", "1g.5gb@2", "1g.5gb@3", "3g.20gb@4");
        rig.adopt("2g.10gb@0", "1g.5gb@2", "1g.5gb@3", "3g.20gb@4");
        rig.busy("1g.5gb@2");

        ApplyResult result = rig.apply("1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb");

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        assertThat(rig.layout())
                .containsExactly("1g.5gb@0", "1g.5gb@1", "1g.5gb@2", "1g.5gb@3", "1g.5gb@4", "1g.5gb@5", "1g.5gb@6");
        assertThat(rig.changes())
                .as("only the two that had to go were destroyed")
                .filteredOn(call -> call.startsWith("GpuInstanceDestroy"))
                .hasSize(2);
    }

    @Test
    void aComputeInstanceThatCannotBeMadeBringsTheLayoutBeforeBack() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@1");
        rig.adopt("1g.18gb@0", "1g.18gb@1");
        Plan plan = rig.plan("3g.71gb", "3g.71gb");
        rig.driver
                .gpu(0)
                .faults()
                .answer("nvmlGpuInstanceCreateComputeInstanceWithPlacement", INSUFFICIENT_RESOURCES, Turns.nth(2));

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(((ApplyResult.RolledBack) result).why())
                .isEqualTo("NVML returned NVML_ERROR_INSUFFICIENT_RESOURCES when asked to create the full compute "
                        + "instance of GPU instance 2 (3g.71gb at 4)");
        assertThat(rig.layout()).containsExactly("1g.18gb@0", "1g.18gb@1");
        assertThat(rig.executor().read().gpu().instances()).allMatch(instance -> instance.ownership() == Ownership.OWN);
    }

    @Test
    void gpusThatAreNotMeantAreNotTouched() throws Exception {
        MigRig rig = new MigRig("a30x2", folder);
        rig.driver.gpu(1).mig().setMode(true);
        rig.driver.gpu(1).mig().create("2g.12gb", 0, "2g.12gb");
        rig.mig().setMode(true);

        assertThat(rig.apply("4g.24gb")).isInstanceOf(ApplyResult.Done.class);

        assertThat(rig.layout()).containsExactly("4g.24gb@0");
        assertThat(rig.driver.gpu(1).mig().layout()).containsExactly("2g.12gb@0");
        assertThat(rig.driver.calls().byFunction().keySet().stream()
                        .filter(name -> name.contains("Create") || name.contains("Destroy"))
                        .mapToLong(name -> rig.driver.calls().of(name, 1))
                        .sum())
                .isZero();
    }

    @Test
    void anInstanceThatIsStillListedThoughDestroyedIsDestroyedOnceMoreAfterInitialisingAnew() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "3g.71gb@4");
        rig.adopt("3g.71gb@4");
        Plan plan = rig.plan("4g.71gb");
        rig.mig().leaveRemnants(1);
        List<Progress.Event> events = new ArrayList<>();

        ApplyResult result = rig.executor().apply(plan, events::add, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        assertThat(rig.layout()).containsExactly("4g.71gb@0");
        assertThat(events)
                .filteredOn(event -> event.kind() == Progress.Kind.REOPENED)
                .hasSize(1);
    }

    @Test
    void anInstanceThatStaysListedIsAnErrorAndItsComputeInstanceComesBack() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "3g.71gb@4");
        rig.adopt("3g.71gb@4");
        Plan plan = rig.plan("4g.71gb");
        rig.mig().leaveRemnants(1_000);

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(((ApplyResult.RolledBack) result).why())
                .isEqualTo(
                        "NVML returned SUCCESS when asked to destroy GPU instance 2 (3g.71gb at 4), and lists it still");
        assertThat(rig.layout()).containsExactly("3g.71gb@4");
    }

    @Test
    void devicesOfInstancesThatAreGoneAreNotBelieved() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "1g.18gb@1");
        rig.adopt("1g.18gb@0", "1g.18gb@1");
        rig.mig().keepStaleDevices(true);

        ApplyResult result = rig.apply("1g.18gb");

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        MigFacts now = ((ApplyResult.Done) result).now();
        assertThat(now.devices()).hasSize(1);
        assertThat(now.gpu().instances()).hasSize(1);
        assertThat(now.sawStaleDevices()).as("NVML was initialised anew").isFalse();
    }

    @Test
    void inUseThatPassesIsWaitedFor() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan();
        rig.driver.gpu(0).answerTimes("nvmlGpuInstanceDestroy", IN_USE, 2);

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        assertThat(((ApplyResult.Done) result).retries()).isEqualTo(2);
        assertThat(rig.clock.pauses()).extracting(pause -> pause.toMillis()).containsExactly(200L, 400L);
        assertThat(rig.layout()).isEmpty();
    }

    @Test
    void aGpuInstanceThatDoesNotGoGetsItsComputeInstancesBackWithTheirPlacesAndIds() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0", "3g.71gb@4:1c.3g.71gb,1c.3g.71gb");
        rig.adopt("1g.18gb@0", "3g.71gb@4");
        List<String> before = rig.layout();
        String text = rig.executor().read().gpu().layout();
        Plan plan = rig.plan("7g.141gb");
        try (MigHolder _ = rig.mig().hold(rig.id("3g.71gb@4"))) {
            ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

            assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
            assertThat(((ApplyResult.RolledBack) result).why())
                    .isEqualTo("NVML returned NVML_ERROR_IN_USE 10 times when asked to destroy GPU instance 2 "
                            + "(3g.71gb at 4): GPU instance 2 is held in the driver");
        }
        assertThat(rig.layout()).isEqualTo(before);
        assertThat(rig.executor().read().gpu().layout()).isEqualTo(text);
        assertThat(rig.clock.pauses()).as("bounded").hasSize(9);
    }

    @Test
    void theFirstInstanceNeedsAnIdleGpuAndTheHolderIsNamed() throws Exception {
        MigRig rig = MigRig.with("h200", folder);
        rig.ports = new MigPorts(
                Quiesce.NOBODY, MpsTenants.NONE, gpu -> Optional.of(List.of(Holder.process(4711, "nsys"))));
        Plan plan = rig.plan("3g.71gb");
        try (MigHolder _ = rig.mig().hold()) {
            ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

            assertThat(result).isInstanceOf(ApplyResult.RolledBack.class);
            assertThat(((ApplyResult.RolledBack) result).why())
                    .endsWith("create GPU instance 3g.71gb at 4: the first GPU instance needs an idle GPU, and "
                            + "process 4711 (nsys) has it open");
        }
        assertThat(rig.changes()).as("no storm of attempts").hasSize(3);
        assertThat(rig.layout()).isEmpty();
    }

    @Test
    void computeInstancesLieWhereTheyWereAskedFor() throws Exception {
        MigRig rig = MigRig.with("h200", folder);
        MigFacts facts = rig.executor().read();
        InstanceRequest request = new InstanceRequest(
                "3g.71gb",
                1,
                OptionalInt.of(4),
                Optional.of(List.of(
                        new ComputeRequest("1c.3g.71gb", OptionalInt.empty()),
                        new ComputeRequest("2c.3g.71gb", OptionalInt.empty()))));
        Plan plan = (Plan) new Planner(PinRules.STANDARD)
                .plan(facts.gpu(), Wanted.resolve(facts.gpu().card(), List.of(request)));

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);

        assertThat(result).isInstanceOf(ApplyResult.Done.class);
        assertThat(rig.layout()).containsExactly("3g.71gb@4{2c.3g.71gb@0,1c.3g.71gb@2}");
    }

    @Test
    void theFullComputeInstanceOfADoubledSliceTakesAllItsMultiprocessors() throws Exception {
        MigRig rig = MigRig.with("h200", folder);

        assertThat(rig.apply("1g.35gb")).isInstanceOf(ApplyResult.Done.class);

        assertThat(rig.layout()).containsExactly("1g.35gb@6");
    }

    @Test
    void aChangeIsCancelledBetweenStepsAndBroughtBack() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@0");
        rig.adopt("1g.18gb@0");
        Plan plan = rig.plan("3g.71gb", "3g.71gb");
        AtomicInteger asked = new AtomicInteger();

        ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> asked.incrementAndGet() > 3);

        assertThat(((ApplyResult.RolledBack) result).why()).isEqualTo("the change was cancelled");
        assertThat(rig.layout()).containsExactly("1g.18gb@0");
    }

    @Test
    void theLayoutBeforeTheLastChangeCanBePlannedFor() throws Exception {
        MigRig rig = MigRig.with("h200", folder, "1g.18gb@2", "3g.71gb@4:2c.3g.71gb,1c.3g.71gb");
        rig.adopt("1g.18gb@2", "3g.71gb@4");
        List<String> before = rig.layout();
        assertThat(rig.apply("7g.141gb")).isInstanceOf(ApplyResult.Done.class);

        Plan back = (Plan)
                rig.executor().planRollback(new Planner(PinRules.STANDARD)).orElseThrow();
        assertThat(rig.executor().apply(back, Progress.NONE, () -> false)).isInstanceOf(ApplyResult.Done.class);

        assertThat(rig.layout()).isEqualTo(before);
        assertThat(rig.executor().history().entries()).hasSize(2);
    }
}
