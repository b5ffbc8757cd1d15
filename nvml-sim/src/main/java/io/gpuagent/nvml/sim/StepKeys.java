// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The keys of one step while it is read. Each that is asked for becomes known; those that are left in the end are
 * mistakes. After a mistake something that fits is given, so that reading goes on.
 */
final class StepKeys {
    /** Ten years: nanoseconds do not overflow, also where the clock's own are added. */
    private static final long MOST_HOURS = 87_600;

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");

    private final ScenarioMistakes mistakes;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();
    /** Where something that is missing is told to be. */
    private Node place;

    private record Entry(ScalarNode key, ScalarNode value) {}

    StepKeys(MappingNode step, ScenarioMistakes mistakes) {
        this.mistakes = mistakes;
        this.place = step;
        for (NodeTuple tuple : step.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)
                    || !(tuple.getValueNode() instanceof ScalarNode value)) {
                mistakes.add(tuple.getKeyNode(), "a step holds plain names and values only");
            } else if (entries.put(key.getValue(), new Entry(key, value)) != null) {
                mistakes.add(key, key.getValue() + " is there twice");
            }
        }
    }

    /** A mistake at the value of a key, or at the step where there is none. */
    void mistake(String key, String what) {
        mistakes.add(value(key).<Node>map(node -> node).orElse(place), what);
    }

    private Optional<ScalarNode> value(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    boolean has(String key) {
        known.add(key);
        return entries.containsKey(key);
    }

    /** What the step does; what else is missing is told to be missing there. */
    Optional<String> verb() {
        value("do").ifPresent(verb -> place = verb);
        return text("do");
    }

    Optional<String> text(String key) {
        known.add(key);
        return value(key).map(ScalarNode::getValue);
    }

    Optional<String> neededText(String key) {
        if (!has(key)) {
            mistakes.add(place, key + " is missing");
        }
        return text(key);
    }

    /** Where there is no such key, that is the other number. */
    int number(String key, long least, long most, int otherwise) {
        return text(key).map(text -> parsed(key, text, least, most)).orElse(otherwise);
    }

    int needed(String key, long least, long most) {
        return neededText(key).map(text -> parsed(key, text, least, most)).orElse((int) least);
    }

    private int parsed(String key, String text, long least, long most) {
        try {
            int number = Integer.decode(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number that is out of range.
        }
        mistake(key, text + " is not a whole number from " + least + " to " + most);
        return (int) least;
    }

    Duration neededTime(String key, String what) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            mistakes.add(place, key + " is missing: " + what);
        }
        return text.map(time -> parsedTime(key, time)).orElse(Duration.ZERO);
    }

    private Duration parsedTime(String key, String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            mistake(key, text + " is not a time such as 500ms, 90s, 5m or 1h");
            return Duration.ZERO;
        }
        long count = Long.parseLong(parts.group(1));
        Duration time = switch (Optional.ofNullable(parts.group(2)).orElse("s")) {
            case "ms" -> Duration.ofMillis(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofSeconds(count);
        };
        if (time.compareTo(Duration.ofHours(MOST_HOURS)) > 0) {
            mistake(key, text + " is more than the " + MOST_HOURS + "h that a scenario may take");
            return Duration.ZERO;
        }
        return time;
    }

    /** The function that a fault is about; all of them where the step names none. */
    String function() {
        String name = text("function").orElse(Faults.ALL);
        if (!Faults.isKnown(name)) {
            mistake(
                    "function",
                    name + " is not a function of nvml.h"
                            + NearestWord.advice(name, Abi.get().functions().keySet()));
            return Faults.ALL;
        }
        return name;
    }

    /** Which calls a fault meets: all, unless the step says more. */
    Turns turns() {
        int every = number("every", 1, Integer.MAX_VALUE, 1);
        int first = number("nth", 1, Integer.MAX_VALUE, every);
        boolean isOne = has("nth") && !has("every");
        boolean hasEnd = has("times");
        int times = number("times", 1, Integer.MAX_VALUE, 1);
        return new Turns(first, every, hasEnd || isOne ? times : Turns.FOREVER);
    }

    /** Tells those keys that nobody has asked for. */
    void finish(String verb) {
        entries.forEach((name, entry) -> {
            if (!known.contains(name)) {
                String near = NearestWord.advice(name, known);
                String advice = near.isEmpty() ? "; it has " + String.join(", ", known) : near;
                mistakes.add(entry.key(), "do: " + verb + " has no " + name + advice);
            }
        });
    }
}
