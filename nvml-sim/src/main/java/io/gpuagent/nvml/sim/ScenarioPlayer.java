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
        // What is so from the start is so before the first call.
        driver.takeSteps();
    }

    void advance(long elapsedNanos) {
        if (elapsedNanos < nextNanos) {
            return;
        }
        synchronized (steps) {
            while (!steps.isEmpty() && steps.getFirst().atNanos() <= elapsedNanos) {
                take(steps.removeFirst());
            }
            findNext();
        }
    }

    /** A step that is not possible, such as an instance that does not fit, must not end the call that came across it. */
    private void take(Scenario.Step step) {
        try {
            step.action().accept(driver);
        } catch (RuntimeException e) {
            driver.noteFailure("scenario", e);
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
