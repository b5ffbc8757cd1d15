// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.mig.plan.Plan;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.sim.Hang;
import io.gpuagent.nvml.sim.MigHolder;
import io.gpuagent.nvml.sim.Turns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each NVML call of a change of six steps fails in turn: those that change anything always, of those that read a sample
 * unless the run is exhaustive.
 */
class FaultIT {
    private static final int SAMPLE = Boolean.getBoolean("gpuagent.exhaustive") ? 1 : 9;
    private static final int MINUTES = 10;

    @TempDir
    Path folder;

    enum Fault {
        IN_USE_ONCE(19, false),
        IN_USE_FOR_EVER(19, true),
        INSUFFICIENT_RESOURCES(23, false),
        GPU_IS_LOST(15, true),
        UNKNOWN(999, false);

        private final int code;
        private final boolean lasts;

        Fault(int code, boolean lasts) {
            this.code = code;
            this.lasts = lasts;
        }

        Turns turns(long call) {
            return lasts ? new Turns(call, 1, Turns.FOREVER) : Turns.nth(call);
        }
    }

    /** Which calls of a change are worth a try, the first is 1. */
    private static List<Long> calls(MigRig rig, CrashScene scene) throws Exception {
        scene.set();
        List<NvmlFunction> made = new ArrayList<>();
        Plan plan = scene.plan();
        CallObserver log = new CallObserver() {
            @Override
            public void before(NvmlFunction function, int gpu) {
                made.add(function);
            }

            @Override
            public void after(NvmlFunction function, int gpu, int code, long nanos) {}
        };
        assertThat(rig.executor(log, Disk.REAL).apply(plan, Progress.NONE, () -> false))
                .isInstanceOf(ApplyResult.Done.class);
        List<Long> chosen = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            String name = made.get(i).name();
            if (name.contains("Create") || name.contains("Destroy") || i % SAMPLE == 0) {
                chosen.add(i + 1L);
            }
        }
        return chosen;
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void whicheverCallFailsTheEndIsTheWantedLayoutOrTheOneBefore(Fault fault) throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long call : calls(rig, scene)) {
            scene.set();
            Plan plan = scene.plan();
            String when = fault + " at call " + call;
            try (MigHolder _ = rig.mig().hold(rig.id(CrashScene.FOREIGN))) {
                rig.driver.faults().answer("*", fault.code, fault.turns(call));
                ApplyResult result = rig.executor().apply(plan, Progress.NONE, () -> false);
                rig.driver.heal();
                outcomes.merge(checked(rig, scene, result, when), 1, Integer::sum);
            }
        }
        System.out.printf(Locale.ROOT, "%s: %s%n", fault, outcomes);
    }

    private static String checked(MigRig rig, CrashScene scene, ApplyResult result, String when) throws Exception {
        switch (result) {
            case ApplyResult.Done done -> assertThat(rig.layout()).as(when).isEqualTo(CrashScene.WANTED);
            case ApplyResult.RolledBack back ->
                assertThat(rig.layout()).as(when).isEqualTo(CrashScene.BEFORE);
            case ApplyResult.Refused refused ->
                assertThat(rig.layout()).as(when).isEqualTo(CrashScene.BEFORE);
            case ApplyResult.LeftAsItIs left ->
                assertThat(rig.executor().recover(Progress.NONE))
                        .as("%s: %s", when, left.why())
                        .get()
                        .isNotInstanceOf(ApplyResult.LeftAsItIs.class);
        }
        rig.executor().recover(Progress.NONE);
        boolean isWanted = scene.isWanted(when);
        return result.getClass().getSimpleName()
                + (result instanceof ApplyResult.LeftAsItIs ? isWanted ? ", then wanted" : ", then before" : "");
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aCallThatDoesNotReturnIsNeverDoubled() throws Exception {
        MigRig rig = new MigRig("h200", folder.resolve("gpu"));
        CrashScene scene = new CrashScene(rig);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long call : calls(rig, scene)) {
            scene.set();
            Plan plan = scene.plan();
            String when = "hang at call " + call;
            try (MigHolder _ = rig.mig().hold(rig.id(CrashScene.FOREIGN))) {
                outcomes.merge(hung(rig, scene, plan, call, when), 1, Integer::sum);
            }
        }
        System.out.printf(Locale.ROOT, "hang: %s%n", outcomes);
    }

    private static String hung(MigRig rig, CrashScene scene, Plan plan, long call, String when) throws Exception {
        Hang hang = rig.driver.faults().hang("*", Turns.nth(call));
        MigExecutor executor = rig.executor();
        CompletableFuture<ApplyResult> running =
                CompletableFuture.supplyAsync(() -> executor.apply(plan, Progress.NONE, () -> false));
        hang.awaitHeld(1);
        rig.clock.advance(Duration.ofMinutes(10));
        ApplyResult result = running.get(1, TimeUnit.MINUTES);
        List<String> before = rig.changes();

        assertThat(executor.apply(plan, Progress.NONE, () -> false))
                .as("%s: in the same executor", when)
                .isInstanceOfSatisfying(
                        ApplyResult.Refused.class,
                        refused -> assertThat(refused.why()).contains("has not returned"));
        assertThat(rig.executor().apply(plan, Progress.NONE, () -> false))
                .as("%s: in another one", when)
                .isInstanceOfSatisfying(
                        ApplyResult.Refused.class,
                        refused -> assertThat(refused.why()).contains("under way"));
        assertThat(rig.changes()).as(when).isEqualTo(before);
        assertThat(result).as(when).isNotInstanceOf(ApplyResult.RolledBack.class);

        hang.release();
        rig.driver.heal();
        // The lock is given back by the thread that hung.
        await().until(() -> isFree(executor.recover(Progress.NONE)));
        boolean isWanted = scene.isWanted(when);
        assertThat(isWanted || !(result instanceof ApplyResult.Done)).as(when).isTrue();
        return result.getClass().getSimpleName() + (isWanted ? ", wanted" : ", before");
    }

    private static boolean isFree(Optional<ApplyResult> recovered) {
        return recovered.filter(ApplyResult.LeftAsItIs.class::isInstance).isEmpty();
    }
}
