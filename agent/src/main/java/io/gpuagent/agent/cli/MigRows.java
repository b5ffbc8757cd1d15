// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.NodeStatus.GpuStatus;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What stands below a GPU that is cut up: a line a compute instance, and what still fits. A UUID is cut to its first
 * digits, which is how it can be named while no other begins so.
 */
final class MigRows {
    private static final String NONE = "-";
    private static final String GAP = "  ";
    private static final double GIB = 1L << 30;
    /** {@code MIG-} and eight digits. */
    private static final int UUID = 12;

    private static final List<String> TITLES =
            List.of("GI", "CI", "PROFILE", "SLICES", "SMS", "MEM USED/SIZE", "PROCS", "UUID");
    /** Numbers stand on the right. */
    private static final List<Boolean> IS_TEXT = List.of(false, false, true, true, false, false, false, true);

    private final GpuStatus gpu;
    private final JsonValue mig;

    private MigRows(GpuStatus gpu, JsonValue mig) {
        this.gpu = gpu;
        this.mig = mig;
    }

    /** A line of the table, or a sentence. */
    record Line(String text, boolean isSentence) {}

    /** The lines; none where MIG is off. */
    static List<Line> of(GpuStatus gpu) {
        boolean isOn = gpu.value(ReadingKeys.MIG_MODE.name())
                .flatMap(mode -> mode.truth("current"))
                .orElse(false);
        if (!isOn) {
            return List.of();
        }
        return gpu.value(ReadingKeys.MIG.name())
                .map(mig -> new MigRows(gpu, mig).lines())
                .orElseGet(() -> List.of(new Line("MIG instances: " + why(gpu), true)));
    }

    private static String why(GpuStatus gpu) {
        return gpu.json()
                .text("readings", ReadingKeys.MIG.name(), "absent")
                .map(reason -> Quoted.printable(reason).replace('_', ' '))
                .orElse("not told");
    }

    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        List<String[]> rows = rows();
        if (rows.isEmpty()) {
            lines.add(new Line("no GPU instance", true));
        } else {
            int[] widths = new int[TITLES.size()];
            List<String[]> all = Stream.concat(Stream.<String[]>of(TITLES.toArray(String[]::new)), rows.stream())
                    .toList();
            all.forEach(row -> Arrays.setAll(widths, i -> Math.max(widths[i], row[i].length())));
            all.forEach(row -> lines.add(new Line(format(row, widths), false)));
        }
        String room = room();
        lines.add(new Line(room.isEmpty() ? "no room for another" : "room for " + room, true));
        return lines;
    }

    private List<String[]> rows() {
        List<String[]> rows = new ArrayList<>();
        for (JsonValue instance : mig.items("instances").orElse(List.of())) {
            List<JsonValue> computes = instance.items("compute_instances").orElse(List.of());
            for (int i = 0; i < computes.size(); i++) {
                rows.add(row(instance, computes.get(i), i == 0));
            }
            if (computes.isEmpty()) {
                rows.add(incomplete(instance));
            }
        }
        return rows;
    }

    private static String[] incomplete(JsonValue instance) {
        return new String[] {
            whole(instance, "id"),
            NONE,
            text(instance, "profile"),
            slices(instance),
            whole(instance, "multiprocessors"),
            NONE + "/" + gib(instance.number("memory_bytes")) + "GiB",
            NONE,
            "incomplete"
        };
    }

    /** Memory is that of the GPU instance, which stands once. */
    private String[] row(JsonValue instance, JsonValue compute, boolean isFirst) {
        Optional<Double> id = instance.number("id");
        Optional<Double> computeId = compute.number("id");
        return new String[] {
            isFirst ? whole(instance, "id") : "",
            whole(compute, "id"),
            text(compute, "profile"),
            isFirst ? slices(instance) : "",
            whole(compute, "multiprocessors"),
            isFirst ? memory(id, computeId, instance) : "",
            processes(id, computeId),
            compute.text("uuid").map(Quoted::printable).map(MigRows::start).orElse(NONE)
        };
    }

    private static String start(String uuid) {
        return uuid.substring(0, Math.min(uuid.length(), UUID));
    }

    private static String slices(JsonValue instance) {
        Optional<Double> start = instance.number("start");
        Optional<Double> size = instance.number("size");
        return start.isEmpty() || size.isEmpty()
                ? NONE
                : size.get() == 1
                        ? String.valueOf(Math.round(start.get()))
                        : Math.round(start.get()) + "-" + Math.round(start.get() + size.get() - 1);
    }

    private String memory(Optional<Double> id, Optional<Double> computeId, JsonValue instance) {
        Optional<JsonValue> use = gpu.value(ReadingKeys.MIG_MEMORY.name()).flatMap(JsonValue::items).stream()
                .flatMap(List::stream)
                .filter(device -> device.number("gpu_instance").equals(id)
                        && device.number("compute_instance").equals(computeId))
                .findFirst()
                .flatMap(device -> device.at("memory", "value"));
        Optional<Double> total =
                use.flatMap(memory -> memory.number("total_bytes")).or(() -> instance.number("memory_bytes"));
        return gib(use.flatMap(memory -> memory.number("used_bytes"))) + "/" + gib(total) + "GiB";
    }

    /** One process may stand in several of the driver's lists. */
    private String processes(Optional<Double> id, Optional<Double> computeId) {
        if (gpu.value(ReadingKeys.processes(ProcessType.COMPUTE).name()).isEmpty()) {
            return NONE;
        }
        return String.valueOf(Arrays.stream(ProcessType.values())
                .map(type -> gpu.value(ReadingKeys.processes(type).name()).flatMap(JsonValue::items))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .filter(process -> process.number("gpu_instance").equals(id)
                        && process.number("compute_instance").equals(computeId))
                .map(process -> process.number("pid"))
                .distinct()
                .count());
    }

    private String room() {
        return String.join(
                ", ",
                mig.items("room").orElse(List.of()).stream()
                        .filter(room -> room.number("count").orElse(0.0) > 0)
                        .map(room -> whole(room, "count") + " x " + text(room, "profile"))
                        .toList());
    }

    private static String text(JsonValue json, String member) {
        return json.text(member).map(Quoted::printable).orElse(NONE);
    }

    private static String whole(JsonValue json, String member) {
        return json.number(member)
                .map(number -> String.valueOf(Math.round(number)))
                .orElse(NONE);
    }

    private static String gib(Optional<Double> bytes) {
        return bytes.filter(count -> count >= 0)
                .map(count -> String.format(Locale.ROOT, "%.1f", count / GIB))
                .orElse(NONE);
    }

    private static String format(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String space = " ".repeat(widths[i] - cells[i].length());
            line.append(i == 0 ? "" : GAP).append(IS_TEXT.get(i) ? cells[i] + space : space + cells[i]);
        }
        return line.toString().stripTrailing();
    }
}
