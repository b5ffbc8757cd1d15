// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import io.gpuagent.model.layout.Position;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** One item of a list in a YAML file: a value or a section. */
public final class YamlItem {
    private final String path;
    private final Node node;
    private final Problems problems;
    private final KeyAdvice advice;

    YamlItem(String path, Node node, Problems problems, KeyAdvice advice) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        this.advice = advice;
    }

    /**
     * Whether it is a section.
     *
     * @return false for a value, and for what is neither
     */
    public boolean isSection() {
        return node instanceof MappingNode;
    }

    /**
     * The item as a section; what is none is reported.
     *
     * @return the section
     */
    public YamlSection section() {
        return YamlSection.of(path, node, problems, advice);
    }

    /**
     * The item as a value; what is none is reported.
     *
     * @param parser reads it
     * @param <T> what is read
     * @return the value; empty where there is none, or a bad one
     */
    public <T> Optional<T> value(YamlSection.Parser<T> parser) {
        if (!(node instanceof ScalarNode scalar) || scalar.getTag().equals(Tag.NULL)) {
            problems.add(
                    node.getStartMark(),
                    path + " is " + (node instanceof ScalarNode ? "empty" : YamlSection.kind(node))
                            + " where one value belongs",
                    "write one value");
            return Optional.empty();
        }
        try {
            return Optional.of(parser.parse(scalar.getValue()));
        } catch (BadValueException e) {
            problems.add(node.getStartMark(), path + ": " + e.what(), e.right());
            return Optional.empty();
        }
    }

    /**
     * Where it stands.
     *
     * @return the place
     */
    public Position position() {
        return YamlSection.position(node.getStartMark());
    }
}
