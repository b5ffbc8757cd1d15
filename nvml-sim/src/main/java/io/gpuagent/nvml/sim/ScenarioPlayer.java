// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayDeque;
import java.util.Deque;

/** Takes the steps of a scenario at their time. */
final class ScenarioPlayer {
    private final SimulatedDriver driver;
    private final Deque<Scenario.Step> steps = new ArrayDeque<>();
    /** When the next step is due; looked at by every call, so it needs no lock. */
    private volatile long nextNanos = Long.MAX_VALUE;

    ScenarioPlayer(SimulatedDriver driver) {
        this.driver = driver;
    }

    void play(Scenario scenario) {
        synchronized (steps) {
            steps.clear();
            steps.addAll(scenario.steps());
            findNext();
        }
    }

    void advance(long elapsedNanos) {
        if (elapsedNanos < nextNanos) {
            return;
        }
        synchronized (steps) {
            while (!steps.isEmpty() && steps.getFirst().atNanos() <= elapsedNanos) {
                steps.removeFirst().action().accept(driver);
            }
            findNext();
        }
    }

    /** When the next step is due, counted from the start of the driver. */
    long nextNanos() {
        return nextNanos;
    }

    private void findNext() {
        nextNanos = steps.isEmpty() ? Long.MAX_VALUE : steps.getFirst().atNanos();
    }
}
