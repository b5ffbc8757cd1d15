// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other tools' users have reported, end to end: read, planned, carried out and read again. */
class MigCasesIT {
    @TempDir
    Path folder;

    /** dra-driver-nvidia-gpu 933: small instances at 0, 1 and 5 left no room for a half. */
    @Test
    void anIdleInstanceMovesOutOfTheWayOfAHalfAndBusyOnesStay() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0", "1g.18gb@1", "1g.18gb@5");
        scene.runs("1g.18gb@0", 1, SimulatedProcess.Kind.COMPUTE);
        scene.runs("1g.18gb@1", 2, SimulatedProcess.Kind.COMPUTE);

        scene.done(scene.apply("1g.18gb", "1g.18gb", "1g.18gb", "3g.71gb"));

        assertThat(scene.layout())
                .hasSize(4)
                .contains("1g.18gb@0", "1g.18gb@1", "3g.71gb@4")
                .containsAnyOf("1g.18gb@2", "1g.18gb@3");
    }

    /** The same, with work on the one in the way. */
    @Test
    void aBusyInstanceInTheWayOfAHalfIsNamed() throws Exception {
        MigScene scene = MigScene.ours("h200", folder, "1g.18gb@0", "1g.18gb@1", "1g.18gb@5");
        scene.ids.keySet().forEach(each -> scene.runs(each, scene.id(each), SimulatedProcess.Kind.COMPUTE));

        PlanOutcome outcome = scene.plan("1g.18gb", "1g.18gb", "1g.18gb", "3g.71gb");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Impossible.class,
                        impossible -> assertThat(impossible.reason()).contains("runs on it"));
        assertThat(scene.destructions()).isZero();
    }

    /** Boards number the halves in two ways: a place that is computed from an id would have been the busy one's. */
    @Test
    void onABoardWithSwappedIdsOnlyTheIdleHalfGoes() throws Exception {
        MigScene scene = MigScene.with("h200", folder);
        scene.mig().setInstanceIds(SimulatedMig.InstanceIds.SWAPPED);
        for (int start : new int[] {4, 0}) {
            int id = scene.mig().create("3g.71gb", start, "3g.71gb");
            scene.ids.put("3g.71gb@" + start, id);
            scene.done(new MigRequest.Adopt(scene.gpu(), id));
        }
        scene.runs("3g.71gb@4", 1, SimulatedProcess.Kind.COMPUTE);

        scene.done(scene.apply("3g.71gb", "2g.35gb", "2g.35gb"));

        assertThat(scene.id("3g.71gb@4")).isEqualTo(1);
        assertThat(scene.layout()).containsExactly("2g.35gb@0", "2g.35gb@2", "3g.71gb@4");
    }

    /** Engines forbid what slices allow: +me.all takes all media engines of an RTX PRO 6000. */
    @Test
    void besideAnInstanceWithAllMediaEnginesOnlyOneWithoutAnyFits() throws Exception {
        MigScene scene = MigScene.ours("rtx-pro-6000", folder, "1g.24gb+me.all@0");
        PlanId any = PlanId.parse(PlanId.layoutOf(scene.state().facts().gpu()) + "-0123456789abcdef");

        Answer.Refused refused = scene.refused(scene.apply(any, "1g.24gb+me.all", "1g.24gb"));
        scene.done(scene.apply("1g.24gb+me.all", "1g.24gb-me"));

        assertThat(refused.code()).isEqualTo(RefusalCode.IMPOSSIBLE);
        assertThat(refused.sentence()).endsWith("together 5 of 4 video decoders");
        assertThat(scene.layout()).containsExactly("1g.24gb+me.all@0", "1g.24gb-me@3");
    }
}
