// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import java.io.PrintStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/**
 * Writes lines on a thread of its own. A reader of our standard error that stops reading (a paused pager, a stuck journal)
 * would otherwise stop whoever logs, and that is the driver's thread or a GPU's. When the queue is full, lines are dropped
 * and counted.
 */
final class QueuedHandler extends Handler {
    private static final int LINES = 1000;

    private final PrintStream out;
    private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(LINES);
    private final AtomicLong dropped = new AtomicLong();

    /** A line to write, or a mark that says when all before it has been written. */
    private record Entry(String text, CountDownLatch written) {}

    QueuedHandler(PrintStream out) {
        this.out = out;
        Thread.ofPlatform().name("log").daemon().start(this::write);
    }

    @Override
    public void publish(LogRecord record) {
        if (isLoggable(record) && !queue.offer(new Entry(getFormatter().format(record), new CountDownLatch(1)))) {
            dropped.incrementAndGet();
        }
    }

    private void write() {
        try {
            while (true) {
                Entry entry = queue.take();
                long lost = dropped.getAndSet(0);
                if (lost > 0) {
                    out.println(lost + " lines were lost here: nobody read them in time");
                }
                out.print(entry.text());
                out.flush();
                entry.written().countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until what was logged so far is written, but not for long. */
    @Override
    public void flush() {
        Entry mark = new Entry("", new CountDownLatch(1));
        try {
            if (queue.offer(mark, 100, TimeUnit.MILLISECONDS)) {
                // Whether it came in time does not matter: nobody could be told.
                boolean ignored = mark.written().await(500, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        flush();
    }
}
