// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A machine whose state is kept in a file, so that several processes see one. Used by one thread at a time. */
final class SharedMachine {
    private final Machine machine;
    private final StateFile file;
    private volatile long seen;
    private String written = "";

    private SharedMachine(Machine machine, StateFile file) {
        this.machine = machine;
        this.file = file;
    }

    /**
     * Reads the whole document.
     *
     * @return empty where there is none yet
     * @throws StateException where it is not what this build writes
     */
    static Optional<JsonTree> read(StateFile file, StateFile.Held held) {
        Optional<byte[]> bytes = held.read();
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonTree document = JsonTree.read(file.path().toString(), new ByteArrayInputStream(bytes.get()));
            MachineDocument.requireKnown(document);
            return Optional.of(document);
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    private static StateException unreadable(StateFile file, Exception e) {
        return new StateException(
                "the state of the simulated machine cannot be read: " + e.getMessage() + "; without " + file.path()
                        + " the machine starts anew",
                e);
    }

    /**
     * When the machine in a file was started, after a look at whether it is the one that is meant.
     *
     * @param now for a machine that is not there yet
     */
    static long startNanos(StateFile file, SimProfile profile, long seed, long now) {
        try (StateFile.Held held = file.hold()) {
            Optional<JsonTree> document = read(file, held);
            if (document.isEmpty()) {
                return now;
            }
            String there = document.get().text("profile");
            if (!there.equals(profile.toString())) {
                throw new StateException(
                        file.path() + " holds the state of a simulated " + there + ", not of " + profile, null);
            }
            if (document.get().integer("seed") != seed) {
                throw new StateException(
                        file.path() + " holds a simulated machine of seed "
                                + document.get().integer("seed") + ", not of seed " + seed,
                        null);
            }
            return document.get().integer("start-nanos");
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NoSuchElementException e) {
            throw unreadable(file, e);
        }
    }

    /** Ties a machine to its file: takes in what is there, or writes what the machine is. */
    static void share(Machine machine, StateFile file) {
        SharedMachine shared = new SharedMachine(machine, file);
        try (StateFile.Held held = file.hold()) {
            Optional<JsonTree> document = read(file, held);
            if (document.isPresent()) {
                shared.takeIn(document.get());
            } else {
                shared.write(held);
            }
        }
        machine.gate().share(shared);
    }

    boolean isBehind() {
        return file.stamp() != seen;
    }

    void refresh() {
        try (StateFile.Held held = file.hold()) {
            takeIn(held);
        }
    }

    <T extends @Nullable Object> T change(Supplier<T> change) {
        try (StateFile.Held held = file.hold()) {
            if (isBehind()) {
                takeIn(held);
            }
            try {
                return change.get();
            } finally {
                write(held);
            }
        }
    }

    private void takeIn(StateFile.Held held) {
        // Where somebody has taken the file away, the machine lives on as it is.
        read(file, held).ifPresentOrElse(this::takeIn, () -> seen = file.stamp());
    }

    private void takeIn(JsonTree document) {
        try {
            long number = document.integer("change");
            if (number != seen) {
                machine.restore(document);
                written = MachineDocument.text(machine.saved());
            }
            seen = number;
            // Its writer may have died between the number and the text.
            file.stamp(number);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NoSuchElementException e) {
            throw unreadable(file, e);
        }
    }

    private void write(StateFile.Held held) {
        String text = MachineDocument.text(machine.saved());
        if (!text.equals(written)) {
            long number = Math.max(seen, file.stamp()) + 1;
            held.write(MachineDocument.numbered(text, number), number);
            written = text;
            seen = number;
        }
    }
}
