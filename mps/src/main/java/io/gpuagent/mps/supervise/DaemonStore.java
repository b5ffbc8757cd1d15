// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The records of all daemons, a file {@code STATE/mps/ID/daemon.properties} each: lines {@code key=value}, since a record
 * is flat and this module has no JSON.
 */
final class DaemonStore {
    private static final String FILE = "daemon.properties";
    private static final String FORMAT = "1";
    private static final String MODE = "priorMode.";
    private static final String HISTORY = "history.";
    private static final String DRAIN = "drain";

    private final Path folder;

    DaemonStore(SupervisionFolders where) {
        folder = where.state().resolve(DaemonPlace.MPS);
    }

    /** Ids of all daemons there are records of. */
    List<String> ids() {
        return idsBut(Set.of());
    }

    /** Ids of daemons there are records of, without those that are known already. */
    List<String> idsBut(Set<String> known) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(id -> !known.contains(id) && Files.isRegularFile(file(id)))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException e) {
            throw new MpsException("cannot list the MPS daemons in " + folder + ": " + e, e);
        }
    }

    private Path file(String id) {
        return folder.resolve(id).resolve(FILE);
    }

    /** What a record is told from the next one by. */
    record Version(Object file, FileTime at, long size) {}

    /** Changes whenever the record does; empty without one. */
    Optional<Version> version(String id) {
        try {
            // Each record is a file of its own, moved into place.
            BasicFileAttributes attributes = Files.readAttributes(file(id), BasicFileAttributes.class);
            return Optional.of(new Version(
                    Objects.requireNonNullElse(attributes.fileKey(), ""),
                    attributes.lastModifiedTime(),
                    attributes.size()));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    void write(DaemonRecord record) {
        DaemonSpec spec = record.spec();
        Map<String, String> lines = new TreeMap<>();
        lines.put("format", FORMAT);
        lines.put("id", spec.id());
        lines.put("devices", String.join(",", spec.devices()));
        lines.put("share", share(spec.share()));
        lines.put("multiUser", Boolean.toString(spec.multiUser()));
        lines.put("exclusiveProcess", Boolean.toString(spec.exclusiveProcess()));
        lines.put("uid", Long.toString(spec.uid()));
        lines.put("run", record.run().name());
        record.priorModes().forEach((gpu, mode) -> lines.put(MODE + gpu, mode.name()));
        record.drain()
                .ifPresent(wait -> lines.put(
                        DRAIN,
                        wait.until() + " " + wait.by().pid() + " " + wait.by().startTicks()));
        List<ShareHistory.Entry> entries = record.history().entries();
        for (int i = 0; i < entries.size(); i++) {
            ShareHistory.Entry entry = entries.get(i);
            lines.put(HISTORY + (1000 + i), entry.begun() + " " + entry.ended() + " " + share(entry.share()));
        }
        StringBuilder text = new StringBuilder();
        lines.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        new AtomicFile(file(spec.id())).write(text.toString());
    }

    void delete(String id) {
        try {
            Files.deleteIfExists(file(id));
        } catch (IOException e) {
            throw new MpsException("cannot remove " + file(id) + ": " + e, e);
        }
    }

    Optional<DaemonRecord> read(String id) {
        Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(file(id))) {
            lines.load(reader);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(id, e);
        }
        try {
            return Optional.of(record(id, lines));
        } catch (RuntimeException e) {
            throw unreadable(id, e);
        }
    }

    private MpsException unreadable(String id, Exception e) {
        return new MpsException(
                "cannot read the record of an MPS daemon in " + file(id) + ": " + e + "; move the file away", e);
    }

    private static DaemonRecord record(String id, Properties lines) {
        if (!get(lines, "format").equals(FORMAT) || !get(lines, "id").equals(id)) {
            throw new IllegalArgumentException("it is of another format or another daemon");
        }
        DaemonSpec spec = new DaemonSpec(
                id,
                List.of(get(lines, "devices").split(",", -1)),
                share(get(lines, "share")),
                Boolean.parseBoolean(get(lines, "multiUser")),
                Boolean.parseBoolean(get(lines, "exclusiveProcess")),
                Long.parseLong(get(lines, "uid")));
        Map<String, ComputeModes.Mode> modes = new TreeMap<>();
        List<ShareHistory.Entry> history = new ArrayList<>();
        for (String key : lines.stringPropertyNames().stream().sorted().toList()) {
            if (key.startsWith(MODE)) {
                modes.put(key.substring(MODE.length()), ComputeModes.Mode.valueOf(get(lines, key)));
            } else if (key.startsWith(HISTORY)) {
                String[] words = get(lines, key).split(" ", -1);
                history.add(new ShareHistory.Entry(Instant.parse(words[0]), Instant.parse(words[1]), share(words[2])));
            }
        }
        return new DaemonRecord(
                spec, DaemonRecord.Run.valueOf(get(lines, "run")), modes, new ShareHistory(history), drain(lines));
    }

    private static Optional<Drain> drain(Properties lines) {
        return Optional.ofNullable(lines.getProperty(DRAIN))
                .map(line -> line.split(" ", -1))
                .map(words -> new Drain(
                        Instant.parse(words[0]),
                        new ProcessIdentity(Long.parseLong(words[1]), Long.parseLong(words[2]))));
    }

    private static String get(Properties lines, String key) {
        String value = lines.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("there is no line " + key);
        }
        return value;
    }

    /** Such as {@code 25,8192M,0}, with {@code -} for what is absent. */
    private static String share(Share share) {
        return share.threads().map(ThreadPercentage::commandForm).orElse("-") + ","
                + share.memory().map(PinnedMemoryLimit::commandForm).orElse("-") + ","
                + share.priority().map(ClientPriority::commandForm).orElse("-");
    }

    private static Share share(String text) {
        String[] parts = text.split(",", -1);
        return new Share(
                part(parts[0]).map(ThreadPercentage::parse),
                part(parts[1]).map(PinnedMemoryLimit::parse),
                part(parts[2]).map(ClientPriority::fromDaemon));
    }

    private static Optional<String> part(String text) {
        return text.equals("-") ? Optional.empty() : Optional.of(text);
    }
}
