// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the kernel's log from its oldest record on, on a platform thread of its own. A read waits in the kernel until
 * there is a record; closing ends it. A record that was overwritten (EPIPE) and one that is too long (EINVAL) make one
 * read fail, and the next one goes on behind it, so one failure is no reason to open the log anew; many in a row are.
 */
public final class KernelLogReader implements AutoCloseable {
    /** The kernel's longest record has 8 KiB (CONSOLE_EXT_LOG_MAX). */
    static final int BUFFER = 16 * 1024;

    static final Duration REOPEN_FIRST = Duration.ofSeconds(1);
    static final Duration REOPEN_LAST = Duration.ofSeconds(60);
    private static final int FAILURES_IN_A_ROW = 100;
    private static final long NANOS_PER_MICRO = 1_000;

    private final KernelLogDevice device;
    private final HostView host;
    private final KernelLogListener listener;
    private final Clock clock;
    private final Thread thread;
    private final byte[] buffer = new byte[BUFFER];

    private int filled;
    /** The rest of a line that did not fit is skipped. */
    private boolean isTooLong;
    /** The sequence number that comes next; -1 before the first record. */
    private long expected = -1;
    /** How long the machine had been up when the log was opened. */
    private long upMicros;

    private volatile boolean isClosed;
    private @Nullable ReadableByteChannel open;

    private KernelLogReader(KernelLogDevice device, HostView host, KernelLogListener listener, Clock clock) {
        this.device = device;
        this.host = host;
        this.listener = listener;
        this.clock = clock;
        this.thread = Thread.ofPlatform().daemon().name("kmsg").unstarted(this::run);
    }

    /**
     * Starts to read.
     *
     * @param device the log
     * @param host the machine, which tells how long it has been up
     * @param listener who gets the records, on the reader's thread
     * @param clock the time
     * @return the reader; close it to end
     */
    public static KernelLogReader start(
            KernelLogDevice device, HostView host, KernelLogListener listener, Clock clock) {
        KernelLogReader reader = new KernelLogReader(device, host, listener, clock);
        reader.thread.start();
        return reader;
    }

    private void run() {
        Duration wait = REOPEN_FIRST;
        try {
            while (!isClosed) {
                long openedAt = clock.nanos();
                readUntilFailure();
                if (isClosed) {
                    break;
                }
                // A log that could be read for a while is opened again soon; one that cannot be opened ever more
                // rarely.
                if (clock.nanos() - openedAt > REOPEN_LAST.toNanos()) {
                    wait = REOPEN_FIRST;
                }
                clock.sleepUntil(clock.nanos() + wait.toNanos());
                wait = wait.multipliedBy(2).compareTo(REOPEN_LAST) > 0 ? REOPEN_LAST : wait.multipliedBy(2);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        listener.changed(KernelLogState.CLOSED, "");
    }

    private void readUntilFailure() {
        upMicros = upMicros();
        filled = 0;
        isTooLong = false;
        try (ReadableByteChannel log = device.open()) {
            if (!isAdopted(log)) {
                return;
            }
            listener.changed(KernelLogState.OPEN, "");
            read(log);
        } catch (IOException e) {
            if (!isClosed) {
                listener.changed(state(e), sentence(e));
            }
        } catch (RuntimeException e) {
            // A fault of whoever listens must not end the source: it goes on behind the record that it happened at.
            listener.changed(KernelLogState.FAILED, "a record of /dev/kmsg failed in the agent itself: " + e);
        } finally {
            forget();
        }
    }

    private synchronized boolean isAdopted(ReadableByteChannel log) {
        open = log;
        return !isClosed;
    }

    private synchronized void forget() {
        open = null;
    }

    private void read(ReadableByteChannel log) throws IOException {
        int failures = 0;
        while (!isClosed) {
            int length;
            try {
                length = log.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled));
            } catch (ClosedChannelException closed) {
                throw closed;
            } catch (IOException e) {
                // Which error it was does not matter: what is missing shows in the sequence numbers.
                if (++failures >= FAILURES_IN_A_ROW) {
                    throw e;
                }
                filled = 0;
                continue;
            }
            if (length < 0) {
                throw new IOException("it has ended");
            }
            failures = 0;
            filled += length;
            takeLines();
        }
    }

    /** The device gives a record a read; a pipe may give parts and several. Lines tell records apart in both. */
    private void takeLines() {
        int start = 0;
        for (int i = 0; i < filled; i++) {
            if (buffer[i] == '\n') {
                if (isTooLong) {
                    isTooLong = false;
                } else {
                    line(start, i);
                }
                start = i + 1;
            }
        }
        System.arraycopy(buffer, start, buffer, 0, filled - start);
        filled -= start;
        if (filled == buffer.length) {
            if (!isTooLong) {
                listener.broken();
            }
            isTooLong = true;
            filled = 0;
        }
    }

    private void line(int start, int end) {
        // Below a record stand its keys and values, " SUBSYSTEM=pci", which repeat what the text says.
        if (start == end || buffer[start] == ' ') {
            return;
        }
        Optional<KernelLogRecord> parsed = KernelLogRecord.parse(buffer, start, end);
        if (parsed.isEmpty()) {
            listener.broken();
            return;
        }
        KernelLogRecord log = parsed.get();
        if (expected >= 0 && log.sequence() > expected) {
            listener.lost(log.sequence() - expected);
        }
        // When it was opened anew, what was read before comes again.
        if (log.sequence() < expected) {
            return;
        }
        expected = log.sequence() + 1;
        listener.record(log, Math.max(0, upMicros - log.micros()) * NANOS_PER_MICRO);
    }

    private long upMicros() {
        return Uptime.read(host).map(up -> up.toNanos() / NANOS_PER_MICRO).orElse(0L);
    }

    private static KernelLogState state(IOException e) {
        if (e instanceof NoSuchFileException) {
            return KernelLogState.ABSENT;
        }
        // EACCES by the file's mode, EPERM by dmesg_restrict or a device policy.
        boolean isEperm = e instanceof FileSystemException file
                && file.getReason() != null
                && file.getReason().toLowerCase(Locale.ROOT).contains("not permitted");
        return e instanceof AccessDeniedException || isEperm ? KernelLogState.DENIED : KernelLogState.FAILED;
    }

    private static String sentence(IOException e) {
        return switch (state(e)) {
            case ABSENT ->
                "there is no /dev/kmsg here, so Xids are not seen; a container needs --device /dev/kmsg for it";
            case DENIED ->
                "/dev/kmsg may not be read, so Xids are not seen; the agent needs CAP_SYSLOG, as its unit gives it";
            default -> "/dev/kmsg cannot be read: " + e.getMessage() + "; it is tried again";
        };
    }

    /** Ends the reading; waits at most two seconds for the thread. */
    @Override
    public void close() {
        isClosed = true;
        synchronized (this) {
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    // The thread is a daemon: if its read does not end, nothing waits for it.
                    thread.interrupt();
                }
            }
        }
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
