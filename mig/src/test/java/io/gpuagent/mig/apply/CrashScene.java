// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.sim.LoggedCall;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An H200 beside whose work a change of six steps is made: two idle slices become a {@code 3g.71gb}, while a process runs
 * on a third one and somebody else's instance lies beside.
 */
final class CrashScene {
    static final List<String> BEFORE = List.of("1g.18gb@0", "1g.18gb@1", "1g.18gb@5", "1g.18gb@6");
    static final List<String> WANTED = List.of("3g.71gb@0", "1g.18gb@5", "1g.18gb@6");
    static final String[] WISH = {"3g.71gb", "1g.18gb"};
    static final String BUSY = "1g.18gb@5";
    static final String FOREIGN = "1g.18gb@6";

    private final MigRig rig;

    CrashScene(MigRig rig) {
        this.rig = rig;
    }

    /** Everything as at the start, but for what was called. */
    void set() throws Exception {
        rig.driver.heal();
        rig.driver.gpu(0).heal();
        if (!rig.ids.isEmpty()) {
            rig.driver.gpu(0).stop(SimulatedProcess.FIRST_PID + rig.id(BUSY));
        }
        rig.mig().setMode(true);
        BEFORE.forEach(rig::cut);
        empty(rig.folder);
        rig.adopt("1g.18gb@0", "1g.18gb@1", BUSY);
        rig.busy(BUSY);
        rig.driver.calls().keep(MigRig.CALLS_KEPT);
    }

    /** Takes the scene as another process has set it: on an H200 that counts its places along the axis. */
    void recognise() {
        rig.ids.put(BUSY, 12);
        rig.ids.put(FOREIGN, 13);
    }

    private static void empty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    Plan plan() throws Exception {
        Plan plan = rig.plan(WISH);
        assertThat(plan.steps()).hasSize(6);
        return plan;
    }

    /** The driver has never said IN_USE: with the busy and the foreign instance held, nobody tried to destroy them. */
    void requireNothingUsedWasTouched(String when) {
        assertThat(rig.driver.calls().log()).as(when).noneMatch(CrashScene::isRefusedDestruction);
    }

    /** The end that a change must have; says which one it is. */
    boolean isWanted(String when) throws Exception {
        List<String> now = rig.layout();
        assertThat(now).as(when).isIn(BEFORE, WANTED);
        MigFacts facts = rig.executor().read();
        assertThat(facts.gpu().instances())
                .as(when)
                .allSatisfy(instance -> assertThat(instance.ownership())
                        .isEqualTo(instance.id() == rig.id(FOREIGN) ? Ownership.FOREIGN : Ownership.OWN));
        assertThat(facts.gpu().instances())
                .as(when)
                .extracting(GpuInstance::id)
                .contains(rig.id(BUSY), rig.id(FOREIGN));
        assertThat(rig.executor().recover(Progress.NONE))
                .as("%s: nothing is open", when)
                .isEmpty();
        assertThat(rig.executor().history().entries()).as(when).hasSize(now.equals(WANTED) ? 1 : 0);
        return now.equals(WANTED);
    }

    private static boolean isRefusedDestruction(LoggedCall call) {
        return call.function().endsWith("Destroy") && call.code() == 19;
    }
}
