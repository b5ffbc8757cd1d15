// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.KeyAdvice;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.config.YamlItem;
import io.gpuagent.agent.config.YamlSection;
import io.gpuagent.model.layout.ComputeInstanceEntry;
import io.gpuagent.model.layout.GpuEntry;
import io.gpuagent.model.layout.GpuInstanceEntry;
import io.gpuagent.model.layout.GpuMatch;
import io.gpuagent.model.layout.Layout;
import io.gpuagent.model.layout.LayoutForm;
import io.gpuagent.model.layout.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file of mig-parted (pkg/mig/config in github.com/NVIDIA/mig-parted has its form). A configuration of it says
 * for each GPU whether MIG is enabled and how many devices of each profile there are; a device {@code 1c.3g.40gb} is a
 * compute instance, of which as many as fit share a GPU instance.
 */
final class MigPartedReader {
    private static final int MOST = 64;
    private static final Pattern DEVICE_ID = Pattern.compile("0[xX]([0-9a-fA-F]{8})");
    private static final Pattern PART = Pattern.compile("([1-9])c\\.(([1-9])g\\..+)");

    private MigPartedReader() {}

    static Layout read(YamlSection root, Optional<String> config) {
        YamlSection configs = root.section("mig-configs");
        List<String> names = configs.otherKeys();
        if (!root.has("mig-configs")) {
            root.wrong("", "has no mig-configs", "list them, as mig-parted does");
        } else if (config.isEmpty()) {
            root.wrong(
                    "mig-configs",
                    "has " + names.size() + " configurations, and none was chosen",
                    "add --config with one of " + String.join(", ", names));
        } else if (!names.contains(config.get())) {
            root.wrong(
                    "mig-configs",
                    "has no configuration " + Quoted.of(config.get()),
                    KeyAdvice.nearest(config.get(), names)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("choose one of " + String.join(", ", names)));
        }
        root.finish();
        List<GpuEntry> gpus = new ArrayList<>();
        // The others may be for cards that this agent has never heard of.
        for (String name : names) {
            if (config.filter(name::equals).isPresent()) {
                configs.list(name).orElse(List.of()).forEach(item -> gpus.add(entry(item.section())));
            }
        }
        return new Layout(LayoutForm.MIG_PARTED, gpus, List.of());
    }

    private static GpuEntry entry(YamlSection section) {
        if (!section.has("devices")) {
            section.wrong("", "names no devices", "write devices: all, or a list of indices");
        }
        if (!section.has("mig-enabled")) {
            section.wrong("", "does not say mig-enabled", "write mig-enabled: true or false");
        }
        GpuMatch match = new GpuMatch.Devices(indices(section), filters(section));
        boolean enabled = section.value("mig-enabled", false, Values::truth);
        List<GpuInstanceEntry> instances = instances(section);
        section.finish();
        if (!enabled && !instances.isEmpty()) {
            section.wrong("mig-enabled", "is false, and mig-devices are wanted", "make it true, or remove them");
        }
        return new GpuEntry(
                section.position(),
                match,
                false,
                Optional.of(enabled),
                enabled ? Optional.of(instances) : Optional.empty(),
                Optional.empty());
    }

    private static Optional<Set<Integer>> indices(YamlSection section) {
        if (section.isText("devices")) {
            section.value("devices", MigPartedReader::all);
            return Optional.empty();
        }
        Set<Integer> indices = new LinkedHashSet<>();
        for (YamlItem item : section.list("devices").orElse(List.of())) {
            item.value(Values.whole(0, MOST - 1)).ifPresent(indices::add);
        }
        return Optional.of(indices);
    }

    private static String all(String text) throws BadValueException {
        if (!text.equals("all")) {
            throw new BadValueException(Quoted.of(text) + " is not all", "write all, or a list of indices");
        }
        return text;
    }

    /** One id, or a list of them. */
    private static List<Integer> filters(YamlSection section) {
        if (section.isText("device-filter")) {
            return section.value("device-filter", MigPartedReader::deviceId).stream()
                    .toList();
        }
        List<Integer> ids = new ArrayList<>();
        for (YamlItem item : section.list("device-filter").orElse(List.of())) {
            item.value(MigPartedReader::deviceId).ifPresent(ids::add);
        }
        return ids;
    }

    private static Integer deviceId(String text) throws BadValueException {
        Matcher id = DEVICE_ID.matcher(text);
        if (!id.matches()) {
            throw new BadValueException(
                    Quoted.of(text) + " is no PCI device id", "write device and vendor, such as \"0x233510DE\"");
        }
        return Integer.parseUnsignedInt(id.group(1), 16);
    }

    private static List<GpuInstanceEntry> instances(YamlSection section) {
        List<GpuInstanceEntry> instances = new ArrayList<>();
        if (!section.has("mig-devices")) {
            return instances;
        }
        YamlSection devices = section.section("mig-devices");
        for (String profile : devices.otherKeys()) {
            int count = devices.value(profile, 0, Values.whole(0, MOST));
            instances.addAll(instances(devices.position(profile), profile, count));
        }
        return instances;
    }

    private static List<GpuInstanceEntry> instances(Position at, String profile, int count) {
        Matcher part = PART.matcher(profile);
        boolean isPart = part.matches() && !part.group(1).equals(part.group(3));
        if (!isPart) {
            String whole = part.matches() ? part.group(2) : profile;
            return count == 0 ? List.of() : List.of(instance(at, whole, count, Optional.empty()));
        }
        int each = Math.max(1, Integer.parseInt(part.group(3)) / Integer.parseInt(part.group(1)));
        List<GpuInstanceEntry> instances = new ArrayList<>();
        for (int left = count; left > 0; left -= each) {
            ComputeInstanceEntry compute = new ComputeInstanceEntry(at, profile, OptionalInt.empty(), Optional.empty());
            instances.add(
                    instance(at, part.group(2), 1, Optional.of(Collections.nCopies(Math.min(left, each), compute))));
        }
        return instances;
    }

    private static GpuInstanceEntry instance(
            Position at, String profile, int count, Optional<List<ComputeInstanceEntry>> compute) {
        return new GpuInstanceEntry(at, profile, count, OptionalInt.empty(), compute, Optional.empty());
    }
}
