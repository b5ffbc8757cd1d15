// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.plan.Plan;
import io.gpuagent.nvml.sim.MigHolder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process ends behind every single NVML call and every write of a change; a new one brings it to an end. */
class CrashIT {
    private static final int MINUTES = 5;
    private static final int STRIDE = Boolean.getBoolean("gpuagent.exhaustive") ? 1 : 5;

    @TempDir
    Path folder;

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void whereverAChangeIsCutOffItsEndIsTheWantedLayoutOrTheOneBefore() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        scene.set();
        CutPoints whole = CutPoints.none();
        assertThat(rig.executor(whole, whole).apply(scene.plan(), Progress.NONE, () -> false))
                .isInstanceOf(ApplyResult.Done.class);
        assertThat(rig.layout()).isEqualTo(CrashScene.WANTED);

        int wanted = 0;
        int open = 0;
        long points = whole.passed();
        for (long point = 1; point <= points; point++) {
            scene.set();
            Plan plan = scene.plan();
            cutOff(rig, plan, point);
            // A monitor on the foreign instance: who tries to destroy it is told IN_USE, and the log has it.
            try (MigHolder _ = rig.mig().hold(rig.id(CrashScene.FOREIGN))) {
                Optional<ApplyResult> recovered = rig.executor().recover(Progress.NONE);
                open += recovered.isPresent() ? 1 : 0;
                assertThat(recovered.filter(ApplyResult.LeftAsItIs.class::isInstance))
                        .as("cut %d", point)
                        .isEmpty();
                wanted += scene.isWanted("cut " + point) ? 1 : 0;
                scene.requireNothingUsedWasTouched("cut " + point);
            }
        }
        System.out.printf(
                "%d of %d cut points (%s): %d were open; the end was the wanted layout %d times, the one before %d times%n",
                points, points, whole.counts(), open, wanted, points - wanted);
        assertThat(wanted).isBetween(1, (int) points - 1);
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aRecoveryThatIsCutOffItselfIsRecoveredFrom() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        scene.set();
        CutPoints whole = CutPoints.none();
        rig.executor(whole, whole).apply(scene.plan(), Progress.NONE, () -> false);
        int points = 0;
        // Every place of the recovery from some places of the change: a prime distance meets all kinds of steps.
        for (long first = 1; first <= whole.passed(); first += 97) {
            for (long second = 1; ; second += 13) {
                scene.set();
                cutOff(rig, scene.plan(), first);
                CutPoints again = new CutPoints(second);
                if (!isCutOff(() -> rig.executor(again, again).recover(Progress.NONE))) {
                    break;
                }
                rig.executor().recover(Progress.NONE);
                scene.isWanted("cuts " + first + " and " + second);
                points++;
            }
        }
        System.out.printf("%d recoveries were cut off and recovered from%n", points);
        assertThat(points).isPositive();
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aWayBackThatIsCutOffIsRecoveredFrom() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        scene.set();
        Plan whole = scene.plan();
        CutPoints counted = CutPoints.none();
        rig.driver.gpu(0).answerOnce("nvmlGpuInstanceCreateComputeInstanceWithPlacement", 23);
        assertThat(rig.executor(counted, counted).apply(whole, Progress.NONE, () -> false))
                .isInstanceOf(ApplyResult.RolledBack.class);
        int points = 0;
        for (long point = counted.passed(); point > 0; point -= STRIDE) {
            scene.set();
            Plan plan = scene.plan();
            rig.driver.gpu(0).answerOnce("nvmlGpuInstanceCreateComputeInstanceWithPlacement", 23);
            cutOff(rig, plan, point);
            rig.driver.gpu(0).heal();
            assertThat(rig.executor().recover(Progress.NONE).filter(ApplyResult.LeftAsItIs.class::isInstance))
                    .as("cut %d", point)
                    .isEmpty();
            scene.isWanted("cut " + point);
            points++;
        }
        System.out.printf(
                "%d of %d cut points of a change that fails and goes back (%s)%n",
                points, counted.passed(), counted.counts());
    }

    @Test
    void aGpuInstanceWithoutItsComputeInstanceGoesAgainWhereThatCannotBeMade() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        scene.set();
        Plan plan = scene.plan();
        assertThat(isCutOff(() -> rig.executor().apply(plan, CrashIT::endBeforeTheLastStep, () -> false)))
                .isTrue();
        assertThat(rig.layout()).contains("3g.71gb@0{}");
        rig.driver.gpu(0).answerOnce("nvmlGpuInstanceCreateComputeInstanceWithPlacement", 23);

        ApplyResult recovered = rig.executor().recover(Progress.NONE).orElseThrow();

        assertThat(recovered).isInstanceOf(ApplyResult.RolledBack.class);
        assertThat(((ApplyResult.RolledBack) recovered).why())
                .startsWith("the change was cut off and could not be finished: NVML returned "
                        + "NVML_ERROR_INSUFFICIENT_RESOURCES when asked to create the full compute instance");
        assertThat(scene.isWanted("then")).isFalse();
    }

    private static void endBeforeTheLastStep(Progress.Event event) {
        if (event.kind() == Progress.Kind.BEGUN && event.step() == 6) {
            throw new CutPoints.CutOff();
        }
    }

    private static void cutOff(MigRig rig, Plan plan, long point) {
        CutPoints cut = new CutPoints(point);
        assertThat(isCutOff(() -> rig.executor(cut, cut).apply(plan, Progress.NONE, () -> false)))
                .as("cut %d", point)
                .isTrue();
    }

    private static boolean isCutOff(Runnable work) {
        try {
            work.run();
            return false;
        } catch (CutPoints.CutOff cut) {
            return true;
        }
    }
}
