// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Both logs of one daemon as events. Used by one thread, which says when to look. */
public final class DaemonLog implements AutoCloseable {
    private final Clock clock;
    private final Stream control;
    private final Stream server;

    private DaemonLog(Stream control, Stream server, Clock clock) {
        this.control = control;
        this.server = server;
        this.clock = clock;
    }

    /**
     * An event and where it comes from.
     *
     * @param seen when this agent read it; the log's own times have no zone
     * @param line the line, which is the last one where an event takes several
     * @param event what it means
     */
    public record Entry(Instant seen, LogLine line, MpsEvent event) {}

    /** A log and, until it has been read, what was cut off it. */
    private static final class Stream {
        private final Deque<LogTail> tails;
        private final LogEvents events = new LogEvents();

        Stream(List<LogTail> tails) {
            this.tails = new ArrayDeque<>(tails);
        }

        List<String> poll() throws IOException {
            List<String> lines = tails.getFirst().poll();
            while (lines.isEmpty() && tails.size() > 1) {
                tails.removeFirst().close();
                lines = tails.getFirst().poll();
            }
            return lines;
        }
    }

    /**
     * All there is of the logs of a daemon: what {@link #cap} has cut off them, and then the logs from their beginning.
     *
     * @param folders its folders
     * @param clock tells when a line was read
     * @return the logs
     */
    public static DaemonLog fromStart(DaemonFolders folders, Clock clock) {
        return new DaemonLog(fromStart(folders.controlLog()), fromStart(folders.serverLog()), clock);
    }

    private static Stream fromStart(Path log) {
        return new Stream(List.of(LogTail.fromStart(LogSizeCap.cutOff(log)), LogTail.fromStart(log)));
    }

    /**
     * The logs of a daemon that has been running.
     *
     * @param folders its folders
     * @param bytes how far back to look in each
     * @param clock tells when a line was read
     * @return the logs
     */
    public static DaemonLog fromEnd(DaemonFolders folders, long bytes, Clock clock) {
        return new DaemonLog(
                new Stream(List.of(LogTail.fromEnd(folders.controlLog(), bytes))),
                new Stream(List.of(LogTail.fromEnd(folders.serverLog(), bytes))),
                clock);
    }

    /**
     * Reads what has been added to both logs.
     *
     * @return the control daemon's events, then the servers'
     * @throws IOException when a log is there and cannot be read
     */
    public List<Entry> poll() throws IOException {
        List<Entry> entries = new ArrayList<>();
        poll(control, entries);
        poll(server, entries);
        return entries;
    }

    private void poll(Stream stream, List<Entry> entries) throws IOException {
        List<String> lines = stream.poll();
        Instant seen = clock.now();
        for (String text : lines) {
            LogLine line = LogLine.parse(text);
            for (MpsEvent event : stream.events.read(line)) {
                entries.add(new Entry(seen, line, event));
            }
        }
        if (lines.isEmpty()) {
            stream.events.idle().ifPresent(fault -> entries.add(new Entry(seen, LogLine.parse(""), fault)));
        }
    }

    /**
     * Cuts logs that have grown too long; call it right after {@link #poll}.
     *
     * @param folders the daemon's folders
     * @param most bytes that each may have
     * @throws IOException when one could not be cut
     */
    public static void cap(DaemonFolders folders, long most) throws IOException {
        for (Path log : List.of(folders.controlLog(), folders.serverLog())) {
            new LogSizeCap(log, most).enforce();
        }
    }

    @Override
    public void close() throws IOException {
        for (Stream stream : List.of(control, server)) {
            for (LogTail tail : stream.tails) {
                tail.close();
            }
        }
    }
}
