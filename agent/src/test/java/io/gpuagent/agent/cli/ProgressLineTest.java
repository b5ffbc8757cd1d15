// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.time.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private ProgressLine on(Screen screen) {
        PrintStream err = new PrintStream(written, true, StandardCharsets.UTF_8);
        return new ProgressLine(new Output(err, err, false, false, screen), clock);
    }

    private void secondsPass(int seconds) throws InterruptedException {
        for (int i = 0; i < seconds; i++) {
            clock.awaitSleepers(1, PATIENCE);
            clock.advance(Duration.ofSeconds(1));
        }
        clock.awaitSleepers(1, PATIENCE);
    }

    private String written() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void onATerminalOneLineCountsTheSecondsAndGoesAway() throws Exception {
        try (ProgressLine line = on(Screen.LIVE)) {
            line.step("waiting for the clients to end");
            secondsPass(2);
            line.step("quit");
        }

        assertThat(written())
                .isEqualTo("\rwaiting for the clients to end (1 s)"
                        + "\rwaiting for the clients to end (2 s)"
                        + "\rquit (2 s)" + " ".repeat(26)
                        + "\r" + " ".repeat(10) + "\r");
    }

    @Test
    void whatIsOverWithinASecondIsNotTold() throws Exception {
        try (ProgressLine line = on(Screen.LIVE)) {
            line.step("starting");
            clock.awaitSleepers(1, PATIENCE);
        }

        assertThat(written()).isEmpty();
    }

    @Test
    void aLongStepIsCutSoThatTheLineStaysOne() throws Exception {
        try (ProgressLine line = on(Screen.LIVE)) {
            line.step("x".repeat(300) + "\n");
            secondsPass(1);
        }

        assertThat(written().split("\r", -1)[1]).hasSize(79).endsWith("xxx... (1 s)");
    }

    @Test
    void onADumbTerminalEachStepHasALineOfItsOwn() throws Exception {
        try (ProgressLine line = on(Screen.LINES)) {
            line.step("waiting");
            secondsPass(3);
            line.step("quit");
        }

        assertThat(written()).isEqualTo("gpu-agent: waiting\ngpu-agent: quit\n");
    }

    @Test
    void whereNobodyWatchesNothingIsWritten() {
        try (ProgressLine line = on(Screen.NONE)) {
            clock.advance(Duration.ofSeconds(30));
            line.step("waiting");
        }

        assertThat(written()).isEmpty();
    }
}
