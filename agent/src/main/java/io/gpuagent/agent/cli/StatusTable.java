// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.NodeStatus;
import io.gpuagent.agent.api.json.NodeStatus.GpuStatus;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node's status as a table of at most 80 columns, read from the same JSON that the API gives. What is absent is a dash;
 * the JSON tells why.
 */
final class StatusTable {
    static final int WIDTH = 80;

    private static final double GIB = 1L << 30;
    private static final String NONE = "-";
    private static final String GAP = "  ";
    /** Before what is said of a GPU below its line. */
    private static final String BELOW = "     ";

    private static final String MAKER = "NVIDIA ";
    private static final int NAME = 1;
    private static final int SHORTEST_NAME = 8;
    private static final List<String> TITLES =
            List.of("GPU", "NAME", "TEMP", "POWER/LIMIT", "MEM USED/SIZE", "UTIL", "MIG", "PROCS");

    private final boolean colours;
    private final String ellipsis;

    StatusTable(boolean colours, boolean ellipsis) {
        this.colours = colours;
        this.ellipsis = ellipsis ? "…" : "~";
    }

    String render(NodeStatus node, List<GpuStatus> gpus) {
        StringBuilder text = new StringBuilder();
        switch (node.driver()) {
            case DriverState.Up up -> {
                line(text, summary(node, up));
                if (node.gpus().isEmpty()) {
                    line(text, "The driver works and sees no GPU.");
                } else {
                    text.append('\n');
                    table(text, gpus);
                }
            }
            case DriverState.Down down -> {
                String code = down.code() == null ? "" : ", " + Quoted.printable(down.code());
                wrapped(
                        text,
                        "No GPU can be read: " + Quoted.printable(down.explanation()) + " ("
                                + down.reason().label() + code + ")",
                        "",
                        true);
                if (node.simulated()) {
                    line(text, "The GPUs are simulated.");
                }
            }
        }
        return text.toString();
    }

    private static String summary(NodeStatus node, DriverState.Up up) {
        int count = node.gpus().size();
        return Quoted.printable(up.source()) + ", driver " + Quoted.printable(up.driverVersion()) + ", CUDA "
                + Quoted.printable(up.cudaDriverVersion()) + ", " + count + (count == 1 ? " GPU" : " GPUs")
                + (node.simulated() ? " (simulated)" : "");
    }

    private void table(StringBuilder text, List<GpuStatus> gpus) {
        List<String[]> rows = gpus.stream().map(StatusTable::row).toList();
        int[] widths = new int[TITLES.size()];
        for (int column = 0; column < widths.length; column++) {
            int index = column;
            widths[column] = Stream.concat(
                            Stream.of(TITLES.get(index)), rows.stream().map(row -> row[index]))
                    .mapToInt(String::length)
                    .max()
                    .orElse(0);
        }
        int others = Arrays.stream(widths).sum() - widths[NAME] + GAP.length() * (widths.length - 1);
        widths[NAME] = Math.min(widths[NAME], Math.max(SHORTEST_NAME, WIDTH - others));
        text.append(bold(format(TITLES.toArray(String[]::new), widths))).append('\n');
        for (int i = 0; i < rows.size(); i++) {
            text.append(format(rows.get(i), widths)).append('\n');
            GpuStatus gpu = gpus.get(i);
            if (!gpu.state().equals(GpuCondition.State.OK.label())) {
                String state = Quoted.printable(gpu.state()).replace('_', ' ');
                String detail =
                        gpu.detail().map(Quoted::printable).map(d -> ": " + d).orElse("");
                wrapped(text, state + detail, BELOW, true);
            }
            for (MigRows.Line line : MigRows.of(gpu)) {
                if (line.isSentence()) {
                    wrapped(text, line.text(), BELOW, false);
                } else {
                    text.append(BELOW).append(line.text()).append('\n');
                }
            }
        }
    }

    private static String[] row(GpuStatus gpu) {
        return new String[] {
            String.valueOf(gpu.index()),
            gpu.value(ReadingKeys.NAME.name())
                    .flatMap(JsonValue::text)
                    .map(Quoted::printable)
                    .orElse(NONE),
            gpu.number(ReadingKeys.TEMPERATURE_GPU.name())
                    .map(t -> whole(t) + "C")
                    .orElse(NONE),
            power(gpu),
            memory(gpu),
            gpu.value(ReadingKeys.UTILIZATION.name())
                    .flatMap(rates -> rates.number("gpu"))
                    .map(share -> whole(share * 100) + "%")
                    .orElse(NONE),
            mig(gpu),
            processes(gpu)
        };
    }

    private static String power(GpuStatus gpu) {
        Optional<Double> draw =
                gpu.number(ReadingKeys.POWER_AVERAGE.name()).or(() -> gpu.number(ReadingKeys.POWER_INSTANT.name()));
        Optional<Double> limit = gpu.number(ReadingKeys.POWER_LIMIT_ENFORCED.name());
        return pair(draw.map(StatusTable::whole), limit.map(StatusTable::whole), "W");
    }

    private static String memory(GpuStatus gpu) {
        Optional<JsonValue> use = gpu.value(ReadingKeys.MEMORY.name());
        return pair(
                use.flatMap(memory -> bytes(memory, "used_bytes")),
                use.flatMap(memory -> bytes(memory, "total_bytes")),
                "GiB");
    }

    /** A negative size cannot be; it is as good as absent. */
    private static Optional<String> bytes(JsonValue memory, String member) {
        return memory.number(member).filter(bytes -> bytes >= 0).map(StatusTable::gib);
    }

    private static String pair(Optional<String> part, Optional<String> whole, String unit) {
        return part.isEmpty() && whole.isEmpty() ? NONE : part.orElse(NONE) + "/" + whole.orElse(NONE) + unit;
    }

    /** A mode that waits for a reset shows what it will be: {@code off>on}. */
    private static String mig(GpuStatus gpu) {
        Optional<JsonValue> mode = gpu.value(ReadingKeys.MIG_MODE.name());
        Optional<String> current = mode.flatMap(m -> m.truth("current")).map(StatusTable::onOff);
        Optional<String> pending = mode.flatMap(m -> m.truth("pending")).map(StatusTable::onOff);
        return current.map(now -> pending.filter(then -> !then.equals(now))
                        .map(then -> now + ">" + then)
                        .orElse(now))
                .orElse(NONE);
    }

    /** One process may stand in several of the driver's lists, with compute and graphics. */
    private static String processes(GpuStatus gpu) {
        if (gpu.value(ReadingKeys.processes(ProcessType.COMPUTE).name()).isEmpty()) {
            return NONE; // The count of the other lists would pass for the count of all.
        }
        List<List<JsonValue>> lists = Arrays.stream(ProcessType.values())
                .map(type -> gpu.value(ReadingKeys.processes(type).name()).flatMap(JsonValue::items))
                .flatMap(Optional::stream)
                .toList();
        return String.valueOf(lists.stream()
                .flatMap(List::stream)
                .map(process -> process.number("pid"))
                .distinct()
                .count());
    }

    private String format(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.length; column++) {
            String cell = column == NAME ? cut(cells[column], widths[column]) : cells[column];
            String space = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? "" : GAP).append(column == NAME ? cell + space : space + cell);
        }
        return line.toString();
    }

    private String cut(String name, int width) {
        if (name.length() <= width) {
            return name;
        }
        // The maker's name tells the least of it.
        String rest = name.startsWith(MAKER) ? name.substring(MAKER.length()) : name;
        return rest.length() <= width ? rest : rest.substring(0, width - ellipsis.length()) + ellipsis;
    }

    private void line(StringBuilder text, String sentence) {
        wrapped(text, sentence, "", false);
    }

    private void wrapped(StringBuilder text, String sentence, String indent, boolean alarming) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : sentence.split(" ", -1)) {
            boolean first = line.length() == indent.length();
            if (!first && line.length() + 1 + word.length() > WIDTH) {
                text.append(alarming ? red(line.toString()) : line).append('\n');
                line = new StringBuilder(indent);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
        }
        text.append(alarming ? red(line.toString()) : line).append('\n');
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    private static String whole(double value) {
        return String.valueOf(Math.round(value));
    }

    private static String gib(double bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / GIB);
    }

    private String bold(String text) {
        return colours ? "\u001B[1m" + text + "\u001B[0m" : text;
    }

    private String red(String text) {
        return colours ? "\u001B[31m" + text + "\u001B[0m" : text;
    }
}
