// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.mig.Cards;
import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInNotes;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.model.GpuIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reachable layouts, wanted sets and random pins: the plan costs what looking at each layout finds, is the same for each
 * order of the request, and ends where it says. A sample by seed; -Pexhaustive goes through all pairs of a layout and a
 * wanted set.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class PlannerAgainstBruteForceTest {
    private static final Map<String, MigCard> CARDS =
            Map.of("H200", Cards.H200, "A100", Cards.A100, "A30", Cards.A30, "RTX PRO 6000", Cards.RTX_PRO_6000);

    /** One question, with the answer's parts in the terms of {@link Cuts}. */
    private record Question(
            MigGpu gpu,
            List<WantedInstance> wanted,
            long before,
            Map<Long, Integer> computes,
            long busy,
            long foreign,
            Cuts.Wish wish) {}

    @ParameterizedTest
    @CsvSource({"H200, 4000", "A100, 3000", "A30, 1500", "RTX PRO 6000, 2500"})
    void thePlanCostsWhatTheCheapestOfAllLayoutsCosts(String name, int sample) {
        MigCard card = CARDS.get(name);
        Cuts cuts = new Cuts(card, true);
        Random random = new Random(20261201);
        int[] kinds = new int[3];
        if (Boolean.getBoolean("gpuagent.exhaustive")) {
            for (long before : cuts.layouts()) {
                for (long target : cuts.multisets()) {
                    check(cuts, question(card, cuts, before, target, random), random, kinds);
                    check(cuts, question(card, cuts, before, target, random), random, kinds);
                }
            }
        } else {
            for (int i = 0; i < sample; i++) {
                long before = cuts.layouts().get(random.nextInt(cuts.layouts().size()));
                long target = cuts.layouts().get(random.nextInt(cuts.layouts().size()));
                check(cuts, question(card, cuts, before, target, random), random, kinds);
            }
        }
        System.Logger log = System.getLogger(PlannerAgainstBruteForceTest.class.getName());
        log.log(
                System.Logger.Level.INFO,
                "{0}: {1} plans, {2} impossible, {3} never fit",
                name,
                kinds[0],
                kinds[1],
                kinds[2]);
        assertThat(kinds[0]).as("plans").isGreaterThan(sample / 4);
        assertThat(kinds[1]).as("impossible ones").isGreaterThan(sample / 10);
        assertThat(kinds[2]).as("such as never fit").isGreaterThan(sample / 100);
    }

    private static Question question(MigCard card, Cuts cuts, long before, long target, Random random) {
        List<GpuInstance> instances = new ArrayList<>();
        Map<Long, Integer> computes = new HashMap<>();
        long busy = 0;
        long foreign = 0;
        int busyOf10 = random.nextInt(8);
        for (Cuts.Cut cut : cuts.cuts(before)) {
            long bit = cuts.bit(cut.profile(), cut.place());
            List<Claim> claims = new ArrayList<>();
            Ownership ownership = Ownership.OWN;
            if (random.nextInt(10) < busyOf10) {
                if (random.nextInt(5) == 0) {
                    ownership = Ownership.FOREIGN;
                    foreign |= bit;
                } else {
                    claims.add(GpuInNotes.busyWith(100 + instances.size()));
                    busy |= bit;
                }
            }
            List<ComputeInstance> inside = new ArrayList<>();
            int count = cut.profile().slices() == 1 ? 1 : 1 + random.nextInt(2);
            for (int id = 0; id < count; id++) {
                inside.add(
                        count == 1
                                ? GpuInNotes.full(cut.profile())
                                : new ComputeInstance(
                                        id, 0, "1c." + cut.profile().name(), 1, Optional.empty()));
            }
            computes.put(bit, count);
            instances.add(new GpuInstance(instances.size(), cut.profile(), cut.place(), inside, ownership, claims));
        }
        List<WantedInstance> wanted = new ArrayList<>();
        long exact = 0;
        for (Cuts.Cut cut : cuts.cuts(target)) {
            if (random.nextInt(8) == 0) {
                exact |= cuts.bit(cut.profile(), cut.place());
                wanted.add(WantedInstance.at(cut.profile(), cut.place().start()));
            } else {
                wanted.add(WantedInstance.of(cut.profile()));
            }
        }
        List<Integer> counts = new ArrayList<>(cuts.counts(target));
        if (random.nextInt(10) == 0) {
            // One more, which may be too much.
            int more = random.nextInt(counts.size());
            counts.set(more, counts.get(more) + 1);
            wanted.add(WantedInstance.of(card.profiles().get(more)));
        }
        MigGpu gpu = new MigGpu(new GpuIdentity(0, "GPU-0"), "card", card, instances);
        return new Question(gpu, wanted, before, computes, busy, foreign, new Cuts.Wish(counts, exact));
    }

    private static void check(Cuts cuts, Question asked, Random random, int[] kinds) {
        Planner planner = new Planner(PinRules.STANDARD);
        PlanOutcome outcome = planner.plan(asked.gpu, new Wanted(asked.wanted));
        Cost cheapest = cuts.cheapest(asked.before, asked.computes, asked.busy, asked.foreign, asked.wish);

        switch (outcome) {
            case Plan plan -> {
                kinds[0]++;
                assertThat(plan.cost()).as("%s", asked).isEqualTo(cheapest);
                assertEndsWhereItSays(cuts, asked, plan);
            }
            case Impossible impossible -> {
                assertThat(cheapest).as("%s", asked).isNull();
                int fewest = cuts.fewestInTheWay(asked.busy, asked.foreign, asked.wish);
                kinds[fewest < 0 ? 2 : 1]++;
                assertThat(impossible.evict()).as("%s", asked).hasSize(Math.max(0, fewest));
                assertThat(impossible.neverFits()).isEqualTo(fewest < 0);
                if (fewest > 0) {
                    assertThat(cuts.helps(
                                    asked.busy,
                                    asked.foreign,
                                    impossible.evict().stream()
                                            .map(instance -> cuts.bit(instance.profile(), instance.placement()))
                                            .collect(Collectors.toSet()),
                                    asked.wish))
                            .as("%s", asked)
                            .isTrue();
                }
            }
        }

        List<WantedInstance> shuffled = new ArrayList<>(asked.wanted);
        List<GpuInstance> instances = new ArrayList<>(asked.gpu.instances());
        Collections.shuffle(shuffled, random);
        Collections.shuffle(instances, random);
        MigGpu same = new MigGpu(asked.gpu.identity(), asked.gpu.model(), asked.gpu.card(), instances);
        assertThat(planner.plan(same, new Wanted(shuffled))).isEqualTo(outcome);
    }

    /** Carries the steps out on paper: each must be possible when its turn comes. */
    private static void assertEndsWhereItSays(Cuts cuts, Question asked, Plan plan) {
        long layout = asked.before;
        Map<Long, Integer> computes = new HashMap<>(asked.computes);
        for (Step step : plan.steps()) {
            switch (step) {
                case Step.DestroyCompute gone -> {
                    long bit = cuts.bit(gone.of().profile(), gone.of().placement());
                    assertThat((asked.busy | asked.foreign) & bit).isZero();
                    computes.merge(bit, -1, Integer::sum);
                }
                case Step.DestroyGpuInstance gone -> {
                    long bit =
                            cuts.bit(gone.instance().profile(), gone.instance().placement());
                    assertThat((asked.busy | asked.foreign) & bit).isZero();
                    assertThat(computes.remove(bit))
                            .as("compute instances left")
                            .isZero();
                    layout &= ~bit;
                }
                case Step.CreateGpuInstance made -> {
                    layout |= cuts.bit(made.profile(), made.placement());
                    assertThat(cuts.layouts()).as("%s", asked).contains(layout);
                }
                case Step.CreateCompute made -> {
                    assertThat(made.gpuInstance()).isEqualTo(OptionalInt.empty());
                    computes.merge(cuts.bit(made.profile(), made.placement()), 1, Integer::sum);
                }
            }
        }
        long after = plan.after().stream()
                .map(instance -> cuts.bit(instance.profile(), instance.placement()))
                .reduce(0L, (a, b) -> a | b);
        assertThat(layout).isEqualTo(after);
        assertThat(computes.values()).doesNotContain(0);
    }
}
