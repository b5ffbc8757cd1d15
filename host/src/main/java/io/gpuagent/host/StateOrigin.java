// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    private static final Pattern SOURCE = Pattern.compile("\"source\"\\s*:\\s*\"([a-z]*)\"");
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
        Optional<String> text;
        try {
            text = Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            text = Optional.empty();
        } catch (IOException e) {
            throw HostException.of("read", file, e, "choose another folder with --state-dir");
        }
        Optional<StateOrigin> found = text.flatMap(StateOrigin::parse);
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
            Files.writeString(draft, json, StandardCharsets.US_ASCII);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            return Optional.empty();
        } catch (IOException e) {
            // A full disk must not stop the agent; the mark is set at the next start.
            return Optional.of("cannot write " + file + ": " + HostException.reason(e));
        }
    }

    private static Optional<StateOrigin> parse(String json) {
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
        return Optional.empty();
    }
}
