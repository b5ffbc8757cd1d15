// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.YamlItem;
import io.gpuagent.agent.config.YamlSection;
import io.gpuagent.model.layout.ComputeInstanceEntry;
import io.gpuagent.model.layout.GpuEntry;
import io.gpuagent.model.layout.GpuInstanceEntry;
import io.gpuagent.model.layout.GpuMatch;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.LayoutForm;
import io.gpuagent.model.layout.MpsEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads gpu-agent's own form of a layout file. */
final class OwnReader {
    /** No card has more places. */
    private static final int MOST = 64;

    private OwnReader() {}

    static Layout read(YamlSection root) {
        List<GpuEntry> gpus = new ArrayList<>();
        if (!root.has("gpus")) {
            root.wrong("", "has no gpus", "list what GPUs are to have, as in docs/layout.md");
        }
        for (YamlItem item : root.list("gpus").orElse(List.of())) {
            gpus.add(gpu(item.section()));
        }
        Layout layout = new Layout(LayoutForm.OWN, gpus, MpsReader.groups(root));
        root.finish();
        return layout;
    }

    private static GpuEntry gpu(YamlSection section) {
        GpuMatch match = MatchReader.of(section);
        boolean keep = section.value("keep", false, Values::truth);
        Optional<Boolean> mode = section.value("mig-mode", Values::mode);
        Optional<List<GpuInstanceEntry>> mig = section.list("mig").map(OwnReader::instances);
        Optional<MpsEntry> mps = MpsReader.of(section);
        section.finish();
        boolean saysMore = section.has("mig-mode") || section.has("mig") || mps.isPresent();
        if (keep && saysMore) {
            section.wrong("keep", "leaves the GPU as it is, and more is said of it", "remove keep, or the rest");
        }
        if (!section.has("keep") && !saysMore) {
            section.wrong("", "wants nothing of the GPU", "write mig, mig-mode or mps, or keep: true");
        }
        if (mode.filter(on -> !on).isPresent()
                && mig.filter(list -> !list.isEmpty()).isPresent()) {
            section.wrong("mig-mode", "is off, and instances are wanted", "turn it on, or remove the instances");
        }
        if (mps.isPresent() && mig.filter(list -> !list.isEmpty()).isPresent()) {
            section.wrong(
                    "mps",
                    "is for the whole GPU, which has no devices of its own in MIG mode",
                    "write mps into the entries of mig");
        }
        return new GpuEntry(section.position(), match, keep, mode, mig, mps);
    }

    private static List<GpuInstanceEntry> instances(List<YamlItem> items) {
        return items.stream().map(OwnReader::instance).toList();
    }

    private static GpuInstanceEntry instance(YamlItem item) {
        if (!item.isSection()) {
            return new GpuInstanceEntry(
                    item.position(),
                    item.value(Values::word).orElse(""),
                    1,
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        YamlSection section = item.section();
        String profile = profile(section, "such as {profile: 3g.71gb, start: 4}");
        int count = section.value("count", 1, Values.whole(1, MOST));
        OptionalInt start = start(section);
        Optional<List<ComputeInstanceEntry>> compute = section.list("compute").map(OwnReader::computes);
        Optional<MpsEntry> mps = MpsReader.of(section);
        section.finish();
        if (mps.isPresent() && compute.filter(list -> list.size() > 1).isPresent()) {
            section.wrong(
                    "mps",
                    "is for one compute instance, and the GPU instance has "
                            + compute.orElseThrow().size(),
                    "write mps into the entries of compute");
        }
        return new GpuInstanceEntry(section.position("profile"), profile, count, start, compute, mps);
    }

    private static List<ComputeInstanceEntry> computes(List<YamlItem> items) {
        return items.stream().map(OwnReader::compute).toList();
    }

    private static ComputeInstanceEntry compute(YamlItem item) {
        if (!item.isSection()) {
            return new ComputeInstanceEntry(
                    item.position(), item.value(Values::word).orElse(""), OptionalInt.empty(), Optional.empty());
        }
        YamlSection section = item.section();
        String profile = profile(section, "such as {profile: 1c.3g.71gb}");
        OptionalInt start = start(section);
        Optional<MpsEntry> mps = MpsReader.of(section);
        section.finish();
        return new ComputeInstanceEntry(section.position("profile"), profile, start, mps);
    }

    private static String profile(YamlSection section, String example) {
        if (!section.has("profile")) {
            section.wrong("", "has no profile", "write one, " + example);
        }
        return section.value("profile", Values::word).orElse("");
    }

    private static OptionalInt start(YamlSection section) {
        return section.value("start", Values.whole(0, MOST - 1))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }
}
