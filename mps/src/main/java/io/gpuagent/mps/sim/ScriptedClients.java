// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CUDA programs of a simulated machine that come and go by a script, so that a demonstration shows something. A line is
 * {@code SECONDS join NAME UID} or {@code SECONDS leave NAME}; times count from the start, and the script begins anew a
 * second after its last line. Used by one thread.
 */
public final class ScriptedClients {
    /** Two trainings and a short job of another user. */
    public static final String DEMONSTRATION = """
            5 join trainer 0
            15 join server 0
            40 leave trainer
            50 join batch 1000
            70 leave server
            90 leave batch
            """;

    private static final Pattern LINE =
            Pattern.compile("(\\d{1,6}) (?:(join) ([a-z0-9_-]{1,15}) (\\d{1,9})|leave ([a-z0-9_-]{1,15}))");

    private final SimulatedMachine machine;
    private final DaemonFolders folders;
    private final List<Step> steps;
    private final Map<String, Long> running = new HashMap<>();
    private long begun;
    private int next;

    private record Step(Duration at, boolean joins, String name, int uid) {}

    /**
     * Programs of one daemon.
     *
     * @param machine where they run
     * @param folders where they look for their daemon
     * @param script the script
     * @throws MpsException for a line that is none
     */
    public ScriptedClients(SimulatedMachine machine, DaemonFolders folders, String script) {
        this.machine = machine;
        this.folders = folders;
        steps = script.lines()
                .filter(line -> !line.isBlank())
                .map(ScriptedClients::step)
                .toList();
        begun = machine.clock().nanos();
    }

    private static Step step(String line) {
        Matcher form = LINE.matcher(line.strip());
        if (!form.matches()) {
            throw new MpsException("\"" + line
                    + "\" is no line of a client script: write SECONDS join NAME UID or SECONDS leave NAME");
        }
        Duration at = Duration.ofSeconds(Long.parseLong(form.group(1)));
        return form.group(2) == null
                ? new Step(at, false, form.group(5), 0)
                : new Step(at, true, form.group(3), Integer.parseInt(form.group(4)));
    }

    /** Does what is due; called about once a second. */
    public void tick() {
        machine.tick();
        Duration now = Duration.ofNanos(machine.clock().nanos() - begun);
        for (; next < steps.size() && steps.get(next).at().compareTo(now) <= 0; next++) {
            carryOut(steps.get(next));
        }
        if (next == steps.size() && !steps.isEmpty()) {
            next = 0;
            begun = machine.clock().nanos() + Duration.ofSeconds(1).toNanos();
        }
    }

    private void carryOut(Step step) {
        Long former = running.remove(step.name());
        if (former != null) {
            machine.leave(former);
        }
        if (step.joins()) {
            SimulatedClient client = machine.join(folders, step.uid(), step.name(), Map.of());
            running.put(step.name(), client.program().pid());
        }
    }

    /**
     * Who runs.
     *
     * @return names in the order of the alphabet
     */
    public List<String> names() {
        List<String> names = new ArrayList<>(running.keySet());
        names.sort(null);
        return List.copyOf(names);
    }
}
