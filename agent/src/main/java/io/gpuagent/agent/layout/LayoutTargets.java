// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.Problems;
import io.gpuagent.model.layout.GpuEntry;
import io.gpuagent.model.layout.GpuMatch;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.MpsGroupEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which entry of a layout is about which GPU of this node.
 *
 * @param targets the GPUs that are named, by index
 * @param notes what should be known, a sentence each
 */
public record LayoutTargets(List<Target> targets, List<String> notes) {
    /** Takes copies of the lists. */
    public LayoutTargets {
        targets = List.copyOf(targets);
        notes = List.copyOf(notes);
    }

    /**
     * A GPU and what is wanted of it.
     *
     * @param gpu the GPU
     * @param entry the entry
     */
    public record Target(GpuMatch.Candidate gpu, GpuEntry entry) {}

    /**
     * Finds them.
     *
     * @param layout the layout
     * @param gpus the GPUs of this node, by index
     * @param problems is told where a GPU is named that is not there, or by two entries
     * @return what is left to be done
     */
    public static LayoutTargets of(Layout layout, List<GpuMatch.Candidate> gpus, Problems problems) {
        List<Target> targets = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Map<String, GpuEntry> first = new HashMap<>();
        for (GpuEntry entry : layout.gpus()) {
            List<GpuMatch.Candidate> fitting =
                    gpus.stream().filter(entry.match()::fits).toList();
            if (fitting.isEmpty()) {
                missing(entry, gpus, problems, notes);
            }
            if (entry.match() instanceof GpuMatch.Uuid && fitting.size() > 1) {
                problems.add(
                        entry.at().line(),
                        entry.at().column(),
                        "the beginning of a UUID " + entry.match().words() + " fits GPUs " + indices(fitting),
                        "write more of it");
            }
            for (GpuMatch.Candidate gpu : fitting) {
                GpuEntry before = first.putIfAbsent(gpu.identity().uuid(), entry);
                if (before == null) {
                    targets.add(new Target(gpu, entry));
                } else {
                    problems.add(
                            entry.at().line(),
                            entry.at().column(),
                            "this entry and the one in line " + before.at().line() + " are both about GPU "
                                    + gpu.identity().index(),
                            "name each GPU once");
                }
            }
        }
        layout.groups().forEach(group -> check(group, gpus, problems));
        targets.sort((a, b) ->
                Integer.compare(a.gpu().identity().index(), b.gpu().identity().index()));
        return new LayoutTargets(targets, notes);
    }

    private static void missing(GpuEntry entry, List<GpuMatch.Candidate> gpus, Problems problems, List<String> notes) {
        if (entry.match().isCertain()) {
            problems.add(
                    entry.at().line(),
                    entry.at().column(),
                    "there is no GPU " + entry.match().words(),
                    gpus.isEmpty() ? "this node has none" : "this node has " + indices(gpus));
        } else {
            notes.add("line " + entry.at().line() + ": no GPU of this node is meant by "
                    + entry.match().words());
        }
    }

    private static void check(MpsGroupEntry group, List<GpuMatch.Candidate> gpus, Problems problems) {
        for (int index : group.gpus()) {
            if (gpus.stream().noneMatch(gpu -> gpu.identity().index() == index)) {
                problems.add(
                        group.mps().at().line(),
                        group.mps().at().column(),
                        "the group \"" + group.name() + "\" names GPU " + index + ", which is not there",
                        gpus.isEmpty() ? "this node has none" : "this node has " + indices(gpus));
            }
        }
    }

    private static String indices(List<GpuMatch.Candidate> gpus) {
        return gpus.stream()
                .map(gpu -> Integer.toString(gpu.identity().index()))
                .collect(Collectors.joining(", "));
    }
}
