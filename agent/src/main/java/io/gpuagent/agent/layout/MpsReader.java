// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.YamlItem;
import io.gpuagent.agent.config.YamlSection;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.layout.MpsEntry;
import io.gpuagent.model.layout.MpsGroupEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what a layout file says of MPS. */
final class MpsReader {
    // As the supervision of MPS has it: the name becomes a folder's.
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final int MOST_GPUS = 64;

    private MpsReader() {}

    /** The key {@code mps} of an entry. */
    static Optional<MpsEntry> of(YamlSection entry) {
        if (!entry.has("mps")) {
            return Optional.empty();
        }
        YamlSection section = entry.section("mps");
        MpsEntry mps = settings(section);
        section.finish();
        return Optional.of(mps);
    }

    private static MpsEntry settings(YamlSection section) {
        return new MpsEntry(
                section.position(),
                new Share(
                        section.value("threads", Values.of(ThreadPercentage::parse)),
                        section.value("memory", Values.of(PinnedMemoryLimit::parse)),
                        section.value("priority", Values.of(ClientPriority::parse))),
                section.value("multi-user", false, Values::truth),
                section.value("exclusive-process", false, Values::truth));
    }

    /** The list {@code mps-groups}. */
    static List<MpsGroupEntry> groups(YamlSection root) {
        List<MpsGroupEntry> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlItem item : root.list("mps-groups").orElse(List.of())) {
            YamlSection section = item.section();
            Optional<String> name = section.value("name", Values::word);
            if (!section.has("name")) {
                section.wrong("", "has no name", "give the group one, such as {name: pair, gpus: [4, 5]}");
            }
            if (name.isPresent() && !isName(name.get())) {
                section.wrong(
                        "name",
                        "is no group's name",
                        "use up to 32 lower-case letters, digits and hyphens, and do not begin with gpu- or mig-");
            }
            if (name.isPresent() && !names.add(name.get())) {
                section.wrong("name", "was given to another group before", "choose another one");
            }
            List<Integer> gpus = gpus(section);
            MpsEntry mps = settings(section);
            section.finish();
            groups.add(new MpsGroupEntry(name.orElse(""), gpus, mps));
        }
        return groups;
    }

    private static boolean isName(String name) {
        return NAME.matcher(name).matches() && !name.startsWith("gpu-") && !name.startsWith("mig-");
    }

    private static List<Integer> gpus(YamlSection section) {
        List<Integer> gpus = new ArrayList<>();
        for (YamlItem item : section.list("gpus").orElse(List.of())) {
            item.value(Values.whole(0, MOST_GPUS - 1)).ifPresent(gpus::add);
        }
        if (!section.has("gpus") || gpus.isEmpty()) {
            section.wrong("", "names no GPUs", "write their indices, as gpus: [4, 5]");
        } else if (new HashSet<>(gpus).size() < gpus.size()) {
            section.wrong("gpus", "names a GPU twice", "name each once");
        }
        return gpus;
    }
}
