// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the state in a folder comes from. What was learnt on simulated GPUs, or on another machine whose disk was copied,
 * must not be acted upon here.
 *
 * @param source whose GPUs the state is about
 * @param machine the machine's id, empty where it has none
 */
public record StateOrigin(Source source, Optional<MachineId> machine) {
    private static final String FILE = "origin.json";
    // Far more than a mark has; it bounds what is read of a file that is none.
    private static final int LONGEST = 4096;
    // Whatever a later version may write there, as long as a terminal can show it.
    private static final Pattern SOURCE = Pattern.compile("\"source\"\\s*:\\s*\"([ !#-~]{1,64})\"");
    private static final Pattern MACHINE = Pattern.compile("\"machine_id\"\\s*:\\s*\"([0-9a-f]{32})\"");

    /** Whose GPUs. */
    public enum Source {
        /** The driver's. */
        DRIVER("driver"),
        /** Simulated ones. */
        SIMULATED("simulated");

        private final String label;

        Source(String label) {
            this.label = label;
        }
    }

    /**
     * Marks a folder as holding state of this origin, or refuses a folder that holds other state.
     *
     * @param folder the state folder, which exists
     * @return what could not be done though the folder may be used, for the log; empty when all is well
     * @throws HostException when the folder holds state of another origin
     */
    public Optional<String> claim(Path folder) throws HostException {
        Path file = folder.resolve(FILE);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // A pipe or a device could keep us waiting for ever.
            return Optional.of(file + " is no regular file, so that nothing tells whose GPUs the state in " + folder
                    + " is about; remove it");
        }
        Optional<String> text = read(file);
        Optional<StateOrigin> found = text.isPresent() ? parse(folder, text.get()) : Optional.empty();
        if (found.isPresent()) {
            refuseOther(folder, found.get());
            if (found.get().machine.isPresent() || machine.isEmpty()) {
                return Optional.empty();
            }
        }
        boolean damaged = text.isPresent() && found.isEmpty();
        return write(file)
                .or(() -> damaged ? Optional.of(file + " was damaged and is written anew") : Optional.empty());
    }

    private static Optional<String> read(Path file) throws HostException {
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw HostException.of("read", file, e, "choose another folder with --state-dir");
        }
    }

    private void refuseOther(Path folder, StateOrigin other) throws HostException {
        if (other.source != source) {
            throw new HostException(
                    "cannot use " + folder + ": it holds state of " + other.source.label + " GPUs and this run has "
                            + source.label + " ones; choose another folder with --state-dir",
                    false);
        }
        if (other.machine.isPresent() && machine.isPresent() && !other.machine.equals(machine)) {
            throw new HostException(
                    "cannot use " + folder + ": it holds state of another machine (machine id "
                            + other.machine.get().text()
                            + "); choose another folder with --state-dir, or empty this one",
                    false);
        }
    }

    private Optional<String> write(Path file) {
        String json = "{\"version\": 1, \"source\": \"" + source.label + "\""
                + machine.map(id -> ", \"machine_id\": \"" + id.text() + "\"").orElse("") + "}\n";
        Path draft = file.resolveSibling(FILE + ".new");
        try {
            // What stands there may be a link to a file that is not ours to write.
            Files.deleteIfExists(draft);
            Files.writeString(
                    draft, json, StandardCharsets.US_ASCII, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            return Optional.empty();
        } catch (IOException e) {
            // A full disk must not stop the agent; the mark is set at the next start.
            return Optional.of("cannot write " + file + ": " + HostException.reason(e));
        }
    }

    private static Optional<StateOrigin> parse(Path folder, String json) throws HostException {
        Matcher named = SOURCE.matcher(json);
        if (!named.find()) {
            return Optional.empty();
        }
        Matcher id = MACHINE.matcher(json);
        Optional<MachineId> machine = id.find() ? Optional.of(new MachineId(id.group(1))) : Optional.empty();
        for (Source source : Source.values()) {
            if (source.label.equals(named.group(1))) {
                return Optional.of(new StateOrigin(source, machine));
            }
        }
        throw new HostException(
                "cannot use " + folder + ": it holds state of GPUs of the kind \"" + named.group(1)
                        + "\", which this version does not know; choose another folder with --state-dir, or use the"
                        + " version that wrote it",
                false);
    }
}
