// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Follows an operation to its end, step by step. The agent does the work; whoever ends this command ends only the
 * looking on, and is told so.
 */
final class MigFollow {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final String DONE = ": done";

    private final Surroundings surroundings;
    private final MigAgent agent;
    /** How many lines of each GPU's log were shown. */
    private final Map<String, Integer> shown = new HashMap<>();

    MigFollow(Surroundings surroundings, MigAgent agent) {
        this.surroundings = surroundings;
        this.agent = agent;
    }

    /** Shows what happens, and how it ends; the exit code. */
    int follow(JsonValue begun) throws AgentException {
        String id = begun.text("operation", "id").orElse("");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread hook = new Thread(() -> leave(id, isOver), "interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            JsonValue now = begun;
            int looks = 0;
            while (true) {
                show(now);
                String state = now.text("operation", "state").orElse("");
                if (!state.equals("queued") && !state.equals("running")) {
                    isOver.set(true);
                    return end(state, now);
                }
                // The first look comes before the agent's thread does.
                if (state.equals("queued") && ++looks == 2) {
                    surroundings.output().sentence("another operation on this GPU goes first; waiting for its end");
                }
                surroundings.clock().sleepUntil(surroundings.clock().nanos() + BETWEEN_LOOKS.toNanos());
                now = agent.get(MigAgent.operation(id));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AgentException(AgentException.FAILED, goesOn(id), e);
        } finally {
            isOver.set(true);
            removeHook(hook);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The process ends, and the hook has had its say.
        }
    }

    private void leave(String id, AtomicBoolean isOver) {
        if (!isOver.get()) {
            surroundings.output().out().flush();
            surroundings.output().sentence(goesOn(id));
        }
    }

    private static String goesOn(String id) {
        return "the agent goes on with " + id + "; see it with gpu-agent mig watch " + id
                + ", call it off with gpu-agent mig cancel " + id;
    }

    private void show(JsonValue now) {
        List<JsonValue> gpus = now.items("operation", "gpus").orElse(List.of());
        for (int i = 0; i < gpus.size(); i++) {
            JsonValue gpu = gpus.get(i);
            String name = "GPU " + Math.round(gpu.number("gpu").orElse(0.0));
            List<JsonValue> log = gpu.items("log").orElse(List.of());
            String key = i + name;
            for (JsonValue line : log.subList(Math.min(log.size(), shown.getOrDefault(key, 0)), log.size())) {
                String text = line.text("text").orElse("");
                // That a step is done shows by the next one.
                if (!text.endsWith(DONE)) {
                    String time = line.text("at").map(MigFollow::time).orElse("");
                    surroundings.output().text("  " + time + "  " + name + "  " + Quoted.printable(text) + "\n");
                }
            }
            shown.put(key, log.size());
        }
        surroundings.output().out().flush();
    }

    /** Hours, minutes and seconds of an RFC 3339 time. */
    private static String time(String at) {
        return at.length() >= 19 ? at.substring(11, 19) : at;
    }

    private int end(String state, JsonValue now) throws AgentException {
        String sentence = Quoted.printable(now.text("operation", "sentence").orElse(""));
        if (state.equals("done")) {
            surroundings.output().text(PlainTable.wrapped("Done: " + sentence + ".", ""));
            return 0;
        }
        String word = switch (state) {
            case "rolled-back" -> "it failed and was rolled back: ";
            case "refused" -> "it was refused: ";
            case "cancelled" -> "it was called off: ";
            default -> "it failed: ";
        };
        throw new AgentException(AgentException.FAILED, word + sentence);
    }

    /** The last part of a command that began an operation. */
    static int begun(Surroundings surroundings, MigAgent agent, JsonValue begun) throws AgentException {
        Optional<String> id = begun.text("operation", "id");
        if (id.isEmpty()) {
            throw new AgentException(
                    AgentException.NO_ANSWER, "the agent's answer is no operation; use the gpu-agent of its version");
        }
        return new MigFollow(surroundings, agent).follow(begun);
    }
}
