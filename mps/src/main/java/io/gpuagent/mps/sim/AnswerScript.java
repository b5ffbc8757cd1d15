// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Faults of the daemon's answers, by what a command begins with; the newest entry that fits counts. */
public final class AnswerScript {
    private final List<Entry> entries = new ArrayList<>();

    /** What happens to an answer. */
    sealed interface Fault {
        /** None ever comes. The command is not carried out. */
        record Hang() implements Fault {}

        /** It comes late. */
        record Delay(Duration by) implements Fault {}

        /** Another one comes. The command is not carried out. */
        record Instead(Reply reply) implements Fault {}
    }

    private record Entry(String prefix, Fault fault) {}

    /**
     * Commands are not answered.
     *
     * @param prefix what they begin with; all of them when empty
     */
    public synchronized void hang(String prefix) {
        entries.addFirst(new Entry(prefix, new Fault.Hang()));
    }

    /**
     * Commands are answered late.
     *
     * @param prefix what they begin with; all of them when empty
     * @param by how late
     */
    public synchronized void delay(String prefix, Duration by) {
        entries.addFirst(new Entry(prefix, new Fault.Delay(by)));
    }

    /**
     * Commands are answered with something else.
     *
     * @param prefix what they begin with; all of them when empty
     * @param text what is printed
     * @param exitStatus what the program returns
     */
    public synchronized void instead(String prefix, String text, int exitStatus) {
        entries.addFirst(new Entry(prefix, new Fault.Instead(new Reply(text, exitStatus))));
    }

    /** All answers are right again. */
    public synchronized void clear() {
        entries.clear();
    }

    synchronized Optional<Fault> fault(String command) {
        return entries.stream()
                .filter(entry -> command.startsWith(entry.prefix))
                .map(Entry::fault)
                .findFirst();
    }
}
