// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static io.gpuagent.mig.plan.PlansInNotes.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plans as people read them, as golden files: -Dgolden.update=true writes them anew. */
class PlanTextTest {
    private static final Planner PLANNER = new Planner(PinRules.STANDARD);

    private static void assertGolden(String name, PlanOutcome outcome) throws IOException {
        String actual = PlanText.of(outcome);
        assertFits(actual);
        Path golden = Path.of("src/test/resources/golden", name + ".txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(golden.getParent());
            Files.writeString(golden, actual);
        }
        assertThat(golden).as("written by -Dgolden.update=true").exists();
        assertThat(actual)
                .as("%s (if the change is meant: -Dgolden.update=true, then read the diff)", golden)
                .isEqualTo(Files.readString(golden));
    }

    private static void assertFits(String text) {
        assertThat(text.lines())
                .allSatisfy(line -> assertThat(line)
                        .hasSizeLessThanOrEqualTo(80)
                        .matches("[ -~]*")
                        .doesNotEndWith(" "));
    }

    @Test
    void aRepartitionBesideRunningWork() throws IOException {
        Holder training =
                new Holder(OptionalLong.of(4711), "python", Optional.of("train.service"), Optional.of("3f1c9a5be4d1"));
        GpuInNotes gpu = new GpuInNotes(Cards.H200)
                .with("3g.71gb@0", new Claim.Runs(training, OptionalInt.of(0)))
                .with(
                        "1g.18gb@4",
                        new Claim.MpsDaemon(Holder.process(900, "nvidia-cuda-mps-control"), OptionalInt.of(0), 0))
                .idle("1g.18gb+me@5 1g.18gb@6");

        assertGolden("repartition", PLANNER.plan(gpu.gpu(), wanted(gpu, "3g.71gb", "2g.35gb", "1g.18gb")));
    }

    @Test
    void everythingThatCanBeSaidOfAnInstance() throws IOException {
        GpuInNotes gpu = new GpuInNotes(Cards.H200);
        gpu.add(new GpuInstance(
                        3,
                        gpu.profile("2g.35gb"),
                        new Placement(0, 2),
                        List.of(
                                new ComputeInstance(0, 0, "1c.2g.35gb", 1, Optional.of(new Placement(0, 1))),
                                new ComputeInstance(1, 0, "1c.2g.35gb", 1, Optional.of(new Placement(1, 1)))),
                        Ownership.OWN,
                        List.of(
                                GpuInNotes.busyWith(1),
                                new Claim.HoldsNode(Holder.process(2, "dcgm"), OptionalInt.empty()))))
                .foreign("1g.18gb@2")
                .with("1g.18gb@3", new Claim.NotVisible("other users' processes need root"))
                .with(
                        "1g.18gb@4",
                        new Claim.NamesDevice(Holder.process(3, "bash"), OptionalInt.of(0), "NVIDIA_VISIBLE_DEVICES"))
                .add(new GpuInstance(
                        12, gpu.profile("1g.18gb"), new Placement(5, 1), List.of(), Ownership.OWN, List.of()));

        assertGolden("impossible", PLANNER.plan(gpu.gpu(), wanted(gpu, "7g.141gb")));
    }

    @Test
    void nothingToDo() throws IOException {
        GpuInNotes gpu = new GpuInNotes(Cards.A30).idle("2g.12gb@0 1g.6gb+me@2");

        assertGolden("no-change", PLANNER.plan(gpu.gpu(), wanted(gpu, "2g.12gb", "1g.6gb+me")));
    }

    @Test
    void anAxisOfTwelveSlices() throws IOException {
        GpuInNotes gpu = new GpuInNotes(Cards.RTX_PRO_6000).idle("1g.24gb+me.all@0 2g.48gb-me@6");

        assertGolden("twelve-slices", PLANNER.plan(gpu.gpu(), wanted(gpu, "1g.24gb", "1g.24gb+gfx", "2g.48gb-me")));
    }

    @Test
    void whatNeverFits() throws IOException {
        GpuInNotes gpu = new GpuInNotes(Cards.H200);

        assertGolden("never-fits", PLANNER.plan(gpu.gpu(), wanted(gpu, "1g.35gb", "3g.71gb", "4g.71gb")));
    }

    @Test
    void noPlanIsWiderThanEightyColumns() {
        Random random = new Random(80);
        for (MigCard card : List.of(Cards.H200, Cards.A30, Cards.RTX_PRO_6000)) {
            Cuts cuts = new Cuts(card, true);
            for (int i = 0; i < 300; i++) {
                long before = cuts.layouts().get(random.nextInt(cuts.layouts().size()));
                long target = cuts.layouts().get(random.nextInt(cuts.layouts().size()));
                GpuInNotes gpu = new GpuInNotes(card);
                for (Cuts.Cut cut : cuts.cuts(before)) {
                    String note = cut.profile().name() + "@" + cut.place().start();
                    gpu = random.nextInt(3) == 0 ? gpu.busy(note) : gpu.idle(note);
                }
                String[] profiles = cuts.cuts(target).stream()
                        .map(cut -> cut.profile().name())
                        .toArray(String[]::new);

                assertFits(PlanText.of(PLANNER.plan(gpu.gpu(), wanted(gpu, profiles))));
            }
        }
    }
}
