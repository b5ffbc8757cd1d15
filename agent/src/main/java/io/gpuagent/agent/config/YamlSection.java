// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.model.layout.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of a YAML file while it is read. Each key that is asked for becomes known; {@link #finish} reports the
 * others. A bad value is reported and its default used, so that reading goes on.
 */
public final class YamlSection {
    private final String path;
    private final Optional<Mark> at;
    private final Map<String, Node> values = new HashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final Problems problems;
    private final KeyAdvice advice;

    private YamlSection(String path, Optional<Mark> at, Problems problems, KeyAdvice advice) {
        this.path = path;
        this.at = at;
        this.problems = problems;
        this.advice = advice;
    }

    /**
     * The whole file.
     *
     * @param node its root; null where it is empty
     * @param problems is told what is wrong
     * @param advice what to say about unknown keys
     * @return the section
     */
    public static YamlSection root(@Nullable Node node, Problems problems, KeyAdvice advice) {
        return of("", node, problems, advice);
    }

    static YamlSection of(String path, @Nullable Node node, Problems problems, KeyAdvice advice) {
        YamlSection section =
                new YamlSection(path, Optional.ofNullable(node).flatMap(Node::getStartMark), problems, advice);
        switch (node) {
            case MappingNode mapping -> mapping.getValue().forEach(section::put);
            // "metrics:" with all its keys commented out is an empty section.
            case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
            case null -> {}
            default ->
                problems.add(
                        node.getStartMark(),
                        (path.isEmpty() ? "the file" : path) + " is " + kind(node) + " where a section belongs",
                        "write its keys one a line, as \"key: value\"");
        }
        return section;
    }

    private void put(NodeTuple entry) {
        Node key = entry.getKeyNode();
        if (!(key instanceof ScalarNode scalar)) {
            problems.add(key.getStartMark(), "a key is " + kind(key), "use a plain word as a key");
            return;
        }
        String name = scalar.getValue();
        Node first = keys.putIfAbsent(name, key);
        if (first != null) {
            String line = first.getStartMark()
                    .map(mark -> " in line " + (mark.getLine() + 1))
                    .orElse("");
            problems.add(
                    key.getStartMark(), full(Quoted.printable(name)) + " was set before" + line, "keep one of the two");
            return;
        }
        values.put(name, entry.getValueNode());
    }

    /**
     * What reads a value from its text.
     *
     * @param <T> what is read
     */
    public interface Parser<T> {
        /**
         * Reads it.
         *
         * @param text the text
         * @return the value
         * @throws BadValueException when it is none
         */
        T parse(String text) throws BadValueException;
    }

    /**
     * Whether a key is there, whatever its value.
     *
     * @param key the key
     * @return whether
     */
    public boolean has(String key) {
        known.add(key);
        return values.containsKey(key);
    }

    /**
     * Whether a key has a value and no list or section.
     *
     * @param key the key
     * @return whether
     */
    public boolean isText(String key) {
        return values.get(key) instanceof ScalarNode;
    }

    /**
     * The keys that are there and were not asked for yet, in the order of the file; they are known from now on.
     *
     * @return the keys
     */
    public List<String> otherKeys() {
        List<String> others = keys.entrySet().stream()
                .filter(entry -> !known.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .toList();
        known.addAll(others);
        return others;
    }

    /**
     * Says that a key is wrong for a reason of its own.
     *
     * @param key the key; empty text for the section itself
     * @param what what is wrong, to follow the key
     * @param right what would be right
     */
    public void wrong(String key, String what, String right) {
        Node node = keys.get(key);
        problems.add(
                node == null ? at : node.getStartMark(),
                (key.isEmpty() ? (path.isEmpty() ? "the file" : path) : full(key)) + " " + what,
                right);
    }

    /**
     * Where it begins.
     *
     * @return the place
     */
    public Position position() {
        return position(at);
    }

    /**
     * Where a key stands.
     *
     * @param key the key
     * @return its place, or that of the section where it is not there
     */
    public Position position(String key) {
        Node node = keys.get(key);
        return position(node == null ? at : node.getStartMark());
    }

    static Position position(Optional<Mark> mark) {
        return mark.map(known -> new Position(known.getLine() + 1, known.getColumn() + 1))
                .orElse(Position.NONE);
    }

    /**
     * The items of a list.
     *
     * @param key its key
     * @return the items; empty where the key is not there, or is no list
     */
    public Optional<List<YamlItem>> list(String key) {
        known.add(key);
        Node node = values.get(key);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof SequenceNode sequence)) {
            problems.add(
                    node.getStartMark(),
                    full(key) + " is " + kind(node) + " where a list belongs",
                    "write a list, as \"[...]\" or with a line \"- ...\" for each item");
            return Optional.empty();
        }
        List<YamlItem> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(new YamlItem(full(key) + "[" + items.size() + "]", item, problems, advice));
        }
        return Optional.of(List.copyOf(items));
    }

    /**
     * A section within this one.
     *
     * @param key its key
     * @return the section, an empty one where the key is not there
     */
    public YamlSection section(String key) {
        known.add(key);
        return of(full(key), values.get(key), problems, advice);
    }

    /**
     * A value.
     *
     * @param key its key
     * @param otherwise what holds where it is not there or bad
     * @param parser reads it
     * @param <T> what is read
     * @return the value
     */
    public <T> T value(String key, T otherwise, Parser<T> parser) {
        return value(key, parser).orElse(otherwise);
    }

    /**
     * A value that may be missing.
     *
     * @param key its key
     * @param parser reads it
     * @param <T> what is read
     * @return the value; empty where it is not there, or bad, which is reported
     */
    public <T> Optional<T> value(String key, Parser<T> parser) {
        known.add(key);
        Node node = values.get(key);
        if (node == null) {
            return Optional.empty();
        }
        return parsed(key, node, parser);
    }

    private <T> Optional<T> parsed(String key, Node node, Parser<T> parser) {
        if (!(node instanceof ScalarNode scalar)) {
            problems.add(
                    node.getStartMark(),
                    full(key) + " is " + kind(node) + " where one value belongs",
                    "write one value");
            return Optional.empty();
        }
        if (scalar.getTag().equals(Tag.NULL)) {
            problems.add(node.getStartMark(), full(key) + " has no value", "write one, or remove the line");
            return Optional.empty();
        }
        try {
            return Optional.of(parser.parse(scalar.getValue()));
        } catch (BadValueException e) {
            problems.add(node.getStartMark(), full(key) + ": " + e.what(), e.right());
            return Optional.empty();
        }
    }

    /** A list of values, or one value that stands for a list of one; empty where the key is not there. */
    <T> List<T> list(String key, Parser<T> parser) {
        known.add(key);
        Node node = values.get(key);
        if (node == null) {
            return List.of();
        }
        List<Node> items = node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
        List<T> parsed = new ArrayList<>();
        for (Node item : items) {
            parsed(key, item, parser).ifPresent(parsed::add);
        }
        return parsed;
    }

    /** What is in a section whose keys are names that the user chooses. */
    <T> Map<String, T> entries(EntryParser<T> parser) {
        Map<String, T> entries = new LinkedHashMap<>();
        // In the order of the file.
        for (String name : keys.keySet()) {
            value(name, text -> parser.parse(name, text)).ifPresent(value -> entries.put(name, value));
        }
        return entries;
    }

    /** What reads a value that belongs to a name. */
    interface EntryParser<T> {
        T parse(String name, String text) throws BadValueException;
    }

    /** Tells what is wrong with a key whose value alone is right. */
    void report(String key, String what, String right) {
        Node node = keys.get(key);
        problems.add(node == null ? Optional.empty() : node.getStartMark(), full(key) + ": " + what, right);
    }

    /** Reports the keys that nobody asked for. */
    public void finish() {
        for (Map.Entry<String, Node> entry : keys.entrySet()) {
            String name = entry.getKey();
            if (!known.contains(name)) {
                problems.add(
                        entry.getValue().getStartMark(),
                        "there is no key " + Quoted.of(name) + (path.isEmpty() ? "" : " in " + path),
                        advice.forUnknown(name, path, known));
            }
        }
    }

    private String full(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    static String kind(Node node) {
        return switch (node) {
            case SequenceNode _ -> "a list";
            case MappingNode _ -> "a section";
            default -> "a single value";
        };
    }
}
