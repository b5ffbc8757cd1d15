// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.time.Clock;
import java.time.Duration;

/**
 * The step that a change is at, for whoever sits at the terminal: one line with the seconds, written anew each second and
 * gone at the end. What is over within a second needs no story, and where nobody watches nothing is written.
 */
final class ProgressLine implements AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);
    // One column less than the narrowest usual terminal, so that the cursor stays on the line.
    private static final int WIDTH = 79;

    private final Output output;
    private final Clock clock;
    private final long start;
    private final Thread ticking;
    private String step = "waiting for the agent";
    private String told = "";
    private int shown;
    private boolean closed;

    ProgressLine(Output output, Clock clock) {
        this.output = output;
        this.clock = clock;
        this.start = clock.nanos();
        this.ticking = Thread.ofPlatform().daemon().name("progress").unstarted(this::tick);
        if (output.screen() != Screen.NONE) {
            ticking.start();
        }
    }

    /** The agent is at another step. */
    synchronized void step(String sentence) {
        step = Quoted.printable(sentence);
        if (!told.isEmpty()) {
            show();
        }
    }

    private void tick() {
        try {
            for (long next = start + TICK.toNanos(); ; next += TICK.toNanos()) {
                clock.sleepUntil(next);
                synchronized (this) {
                    show();
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void show() {
        if (closed) {
            return;
        }
        if (output.screen() == Screen.LIVE) {
            String seconds = " (" + Duration.ofNanos(clock.nanos() - start).toSeconds() + " s)";
            int room = WIDTH - seconds.length();
            String line = (step.length() <= room ? step : step.substring(0, room - 3) + "...") + seconds;
            output.err().print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
            output.err().flush();
            shown = line.length();
        } else if (!told.equals(step)) {
            output.sentence(step);
        }
        told = step;
    }

    /** The line goes away, and the ^C that the terminal wrote with it. */
    synchronized void interrupted() {
        if (output.screen() == Screen.LIVE) {
            shown += 2;
            close();
        } else if (output.screen() == Screen.LINES) {
            output.err().println();
        }
    }

    /** The line goes away. */
    @Override
    public void close() {
        ticking.interrupt();
        synchronized (this) {
            if (!closed && shown > 0) {
                output.err().print("\r" + " ".repeat(shown) + "\r");
                output.err().flush();
            }
            closed = true;
        }
    }
}
