// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.plan.WantedInstance;
import io.gpuagent.model.GpuIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Planning on the axis of an H200: random layouts, of which half of the instances are busy, and random wishes. The
 * baseline sorts the wish into the planner's form, which any planner would have to do.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
public class PlannerBench {
    private static final int QUESTIONS = 2048;
    // Captured on an H200, driver 580.159.04.
    private static final MigCard H200 = new MigCard(List.of(
            profile(0, "7g.141gb", 7, 132, new Engines(8, 7, 0, 7, 1), 8, 0),
            profile(5, "4g.71gb", 4, 64, new Engines(4, 4, 0, 4, 0), 4, 0),
            profile(9, "3g.71gb", 3, 60, new Engines(3, 3, 0, 3, 0), 4, 0, 4),
            profile(14, "2g.35gb", 2, 32, new Engines(2, 2, 0, 2, 0), 2, 0, 2, 4),
            profile(15, "1g.35gb", 1, 26, new Engines(1, 1, 0, 1, 0), 2, 0, 2, 4, 6),
            profile(19, "1g.18gb", 1, 16, new Engines(1, 1, 0, 1, 0), 1, 0, 1, 2, 3, 4, 5, 6),
            profile(20, "1g.18gb+me", 1, 16, new Engines(1, 1, 0, 1, 1), 1, 0, 1, 2, 3, 4, 5, 6)));

    /** Which questions are asked. */
    @Param({"possible", "impossible"})
    private String questions;

    private final Planner planner = new Planner(PinRules.STANDARD);
    private List<Question> asked;
    private int next;

    private record Question(MigGpu gpu, List<WantedInstance> wish) {}

    private static GpuProfile profile(
            int id, String name, int slices, int multiprocessors, Engines engines, int size, int... starts) {
        List<Placement> places = IntStream.of(starts)
                .mapToObj(start -> new Placement(start, size))
                .toList();
        int most = name.endsWith("+me") ? 1 : places.size();
        return new GpuProfile(id, name, slices, most, multiprocessors, engines, 0, places, List.of());
    }

    /** Makes questions until there are enough of their kind. */
    @Setup(Level.Trial)
    public void ask() {
        Random random = new Random(8);
        asked = new ArrayList<>();
        while (asked.size() < QUESTIONS) {
            List<GpuInstance> live = new ArrayList<>();
            for (Cut cut : layout(random)) {
                live.add(instance(live.size(), cut, random.nextBoolean()));
            }
            MigGpu gpu = new MigGpu(new GpuIdentity(0, "GPU-0"), "NVIDIA H200", H200, live);
            List<WantedInstance> wish = new ArrayList<>(layout(random).stream()
                    .map(cut -> WantedInstance.of(cut.profile))
                    .toList());
            Collections.shuffle(wish, random);
            boolean isPossible = planner.plan(gpu, new Wanted(wish)) instanceof Plan;
            if (isPossible == questions.equals("possible")) {
                asked.add(new Question(gpu, wish));
            }
        }
    }

    private record Cut(GpuProfile profile, Placement place) {}

    /** Throws profiles at the axis, and keeps those that fit. */
    private static List<Cut> layout(Random random) {
        List<Cut> cuts = new ArrayList<>();
        int throwsOfDice = 1 + random.nextInt(24);
        for (int i = 0; i < throwsOfDice; i++) {
            GpuProfile profile =
                    H200.profiles().get(random.nextInt(H200.profiles().size()));
            Placement place =
                    profile.placements().get(random.nextInt(profile.placements().size()));
            boolean isFree = cuts.stream().noneMatch(cut -> cut.place.overlaps(place));
            boolean isAllowed =
                    cuts.stream().filter(cut -> cut.profile.equals(profile)).count() < profile.limit();
            if (isFree && isAllowed) {
                cuts.add(new Cut(profile, place));
            }
        }
        return cuts;
    }

    private static GpuInstance instance(int id, Cut cut, boolean isBusy) {
        ComputeInstance full = new ComputeInstance(
                0, 0, cut.profile.name(), cut.profile.slices(), Optional.of(new Placement(0, cut.profile.slices())));
        List<Claim> claims =
                isBusy ? List.of(new Claim.Runs(Holder.process(4711, "python"), OptionalInt.of(0))) : List.of();
        return new GpuInstance(id, cut.profile, cut.place, List.of(full), Ownership.OWN, claims);
    }

    private Question question() {
        next = (next + 1) % QUESTIONS;
        return asked.get(next);
    }

    /** Sorts the wish. */
    @Benchmark
    public Wanted baselineWish() {
        return new Wanted(question().wish);
    }

    /** From the facts and the wish to a plan, or to the smallest set in its way. */
    @Benchmark
    public PlanOutcome plan() {
        Question question = question();
        return planner.plan(question.gpu, new Wanted(question.wish));
    }
}
