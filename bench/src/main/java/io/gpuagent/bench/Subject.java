// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One kind of process under measurement, which is started several times and looked at for longer once. */
abstract class Subject {
    private final List<Double> readyMillis = new ArrayList<>();
    private final List<Double> readyMib = new ArrayList<>();

    /**
     * How much is measured.
     *
     * @param gpus simulated GPUs
     * @param starts how often each kind is started
     * @param idle how long processor time is counted for
     * @param newPages scrapes a second apart
     * @param samePages scrapes in quick succession
     */
    record Extent(int gpus, int starts, Duration idle, int newPages, int samePages) {}

    /** Starts it, notes what that took, and ends it. */
    abstract void start() throws IOException, InterruptedException;

    /** Starts it once more and looks at it for longer. */
    abstract ProcessFigures figures() throws IOException, InterruptedException;

    final void noteReady(double millis, ProcessCost cost) {
        readyMillis.add(millis);
        readyMib.add(cost.residentMib());
    }

    final double readyMillis() {
        return new Samples(readyMillis).median();
    }

    final double readyMib() {
        return new Samples(readyMib).median();
    }

    /** A Java program that does nothing. */
    static final class Bare extends Subject {
        private final JvmSetup setup;

        Bare(JvmSetup setup) {
            this.setup = setup;
        }

        @Override
        void start() throws IOException {
            cost();
        }

        private ProcessCost cost() throws IOException {
            try (ChildJvm jvm = new ChildJvm(setup, BareJvm.class, List.of())) {
                jvm.awaitLine(Pattern.compile(BareJvm.READY));
                ProcessCost cost = jvm.cost();
                noteReady(jvm.ageMillis(), cost);
                return cost;
            }
        }

        @Override
        ProcessFigures figures() throws IOException {
            ProcessCost cost = cost();
            return new ProcessFigures(
                    "an empty program, " + setup.name(),
                    readyMillis(),
                    readyMib(),
                    cost.residentMib(),
                    cost.anonymousMib(),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN);
        }
    }

    /** An agent on simulated GPUs. */
    static final class Agent extends Subject {
        /** A second and a little: the snapshot is a new one then. */
        private static final Duration NEXT_SNAPSHOT = Duration.ofMillis(1_050);

        /** What is compiled and loaded in the first seconds is part of the start. */
        private static final Duration SETTLE = Duration.ofSeconds(5);

        private final JvmSetup setup;
        private final Extent extent;

        Agent(JvmSetup setup, Extent extent) {
            this.setup = setup;
            this.extent = extent;
        }

        @Override
        void start() throws IOException, InterruptedException {
            try (RunningAgent agent = new RunningAgent(setup, extent.gpus())) {
                noteReady(agent.readyMillis(), agent.cost());
            }
        }

        @Override
        ProcessFigures figures() throws IOException, InterruptedException {
            try (RunningAgent agent = new RunningAgent(setup, extent.gpus())) {
                noteReady(agent.readyMillis(), agent.cost());
                double cpuPercent = idlePercent(agent);
                List<Double> newPages = new ArrayList<>();
                for (int i = 0; i < extent.newPages(); i++) {
                    RunningAgent.pause(NEXT_SNAPSHOT);
                    newPages.add(agent.scrape());
                }
                List<Double> samePages = new ArrayList<>();
                for (int i = 0; i < extent.samePages(); i++) {
                    samePages.add(agent.scrape());
                }
                ProcessCost later = agent.cost();
                Samples made = new Samples(newPages);
                Samples kept = new Samples(samePages);
                return new ProcessFigures(
                        "the agent, " + setup.name(),
                        readyMillis(),
                        readyMib(),
                        later.residentMib(),
                        later.anonymousMib(),
                        cpuPercent,
                        made.median(),
                        made.percentile(100),
                        kept.median(),
                        kept.percentile(99));
            }
        }

        private double idlePercent(RunningAgent agent) throws IOException, InterruptedException {
            RunningAgent.pause(SETTLE);
            Duration before = agent.cost().cpu();
            RunningAgent.pause(extent.idle());
            Duration used = agent.cost().cpu().minus(before);
            return 100.0 * used.toNanos() / extent.idle().toNanos();
        }
    }
}
