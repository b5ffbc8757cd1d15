// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** What is wrong with a scenario, a sentence each, with its line and column. */
final class ScenarioMistakes {
    private final String file;
    private final List<String> all = new ArrayList<>();

    ScenarioMistakes(String file) {
        this.file = file;
    }

    void add(Node node, String what) {
        add(node.getStartMark(), what);
    }

    void add(Optional<Mark> mark, String what) {
        String place = mark.map(at -> ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1))
                .orElse("");
        all.add(file + place + ": " + what);
    }

    int count() {
        return all.size();
    }

    void throwIfAny() {
        if (!all.isEmpty()) {
            throw new ScenarioException(all);
        }
    }
}
