// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * How deep the lists and mappings of a YAML text lie in each other. Composing its nodes goes down by recursion and can
 * end in a stack overflow; reading its events does not.
 *
 * @param settings how it is read
 * @param yaml the text
 */
record YamlNesting(LoadSettings settings, String yaml) {
    /** Where it first goes deeper than that many levels. */
    Optional<Mark> deeperThan(int most) {
        int level = 0;
        for (Event event : new Parse(settings).parseString(yaml)) {
            switch (event.getEventId()) {
                case SequenceStart, MappingStart -> level++;
                case SequenceEnd, MappingEnd -> level--;
                default -> {}
            }
            if (level > most) {
                return event.getStartMark();
            }
        }
        return Optional.empty();
    }
}
