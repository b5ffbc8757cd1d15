// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class QueuedHandlerTest {
    @Test
    void aReaderThatStopsReadingStopsNobodyWhoLogs() throws Exception {
        CountDownLatch readerReturns = new CountDownLatch(1);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        QueuedHandler handler = handler(new OutputStream() {
            @Override
            public void write(int b) {
                awaitReader(readerReturns);
                written.write(b);
            }
        });

        for (int i = 0; i < 5000; i++) {
            handler.publish(new LogRecord(Level.INFO, "line " + i));
        }
        readerReturns.countDown();
        handler.flush();

        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("line 0\n")
                .contains("lines were lost here");
    }

    @Test
    void linesComeInOrderAndAreThereAfterAFlush() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        QueuedHandler handler = handler(written);

        handler.publish(new LogRecord(Level.INFO, "first"));
        handler.publish(new LogRecord(Level.INFO, "second"));
        handler.flush();

        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("<6>first\n<6>second\n");
    }

    private static QueuedHandler handler(OutputStream out) {
        QueuedHandler handler = new QueuedHandler(new PrintStream(out, false, StandardCharsets.UTF_8));
        handler.setFormatter(new LogLine(true));
        return handler;
    }

    private static void awaitReader(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
