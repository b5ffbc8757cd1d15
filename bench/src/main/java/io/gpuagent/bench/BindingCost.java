// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the binding costs over a library that was loaded from a file, the driver's own where there is a GPU: calls beside
 * the same calls in C, the start, the first call of each number of arguments, and what a poll allocates. Writes
 * {@code calls.md} and {@code calls.json}. It runs in a JVM with the agent's flags.
 */
public final class BindingCost {
    private static final int STARTS = 9;
    private static final double MAX_START_MILLIS = 150;
    private static final long MAX_ALLOCATED = 4096;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Pattern LINE = Pattern.compile("^(start|link) (\\d+) (\\d+) (\\d+)(?: \\d+)?$");

    private final Path program;
    private final String library;
    private final JvmSetup setup;

    private BindingCost(Path program, String library, JvmSetup setup) {
        this.program = program;
        this.library = library;
        this.setup = setup;
    }

    /**
     * Measures.
     *
     * @param arguments the program nvml-loop, the library (a path), the file jvm.options, a folder for the results
     * @throws Exception when something cannot be measured
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("usage: BindingCost NVML-LOOP LIBRARY JVM-OPTIONS FOLDER");
            System.exit(2);
        }
        Path folder = Files.createDirectories(Path.of(arguments[3]));
        new BindingCost(Path.of(arguments[0]), arguments[1], JvmSetup.ours(Path.of(arguments[2]))).measure(folder);
    }

    private void measure(Path folder) throws IOException, NvmlLibrary.NotFound, InterruptedException {
        Start start = start();
        List<CallFigures> calls;
        int gpus;
        String driver;
        try (NvmlLibrary opened = NvmlLibrary.open(Optional.of(Path.of(library)));
                CLoop c = new CLoop(program, library)) {
            calls = new CallLoops(c, opened).measure();
            Nvml nvml = Nvml.open(opened, CallObserver.NONE, SystemClock.INSTANCE::nanos)
                    .orThrow();
            gpus = nvml.gpuCount().orThrow();
            driver = nvml.driverVersion().value().orElse("unknown");
        }
        long allocated;
        try (PolledNode node = PolledNode.of(NvmlSource.library(Optional.of(Path.of(library))), gpus)) {
            allocated = PollAllocation.bytesPerRound(node);
        }
        String report = "Driver " + driver + ", Java " + Runtime.version() + "\n\n" + CallFigures.table(calls) + "\n"
                + start.table() + "\nA steady fast round of one GPU allocates " + allocated + " bytes (bound "
                + MAX_ALLOCATED + "): " + verdict(allocated < MAX_ALLOCATED) + "\n";
        Files.writeString(folder.resolve("calls.md"), report);
        Files.writeString(folder.resolve("calls.json"), json(calls, start, allocated));
        System.out.print(report);
    }

    private static String verdict(boolean isWithin) {
        return isWithin ? "within" : "BEYOND";
    }

    private String json(List<CallFigures> calls, Start start, long allocated) {
        return calls.stream()
                        .map(CallFigures::json)
                        .collect(Collectors.joining(",\n    ", "{\n  \"calls\": [\n    ", ""))
                + String.format(
                        Locale.ROOT,
                        "],%n  \"start_ms\": %.2f,%n  \"start_c_ms\": %.2f,%n  \"poll_bytes\": %d%n}%n",
                        start.binding(),
                        start.c(),
                        allocated);
    }

    /** In turns: a start in C, a start of a JVM. */
    private Start start() throws IOException {
        List<Double> ofC = new ArrayList<>();
        List<Double> ofBinding = new ArrayList<>();
        Map<Integer, List<Double>> linking = new TreeMap<>();
        for (int i = 0; i < STARTS; i++) {
            try (CLoop loop = new CLoop(program, library)) {
                ofC.add(loop.startNanos() / NANOS_PER_MILLI);
            }
            try (ChildJvm jvm = new ChildJvm(setup, FirstUse.class, List.of(library))) {
                ofBinding.add(sum(jvm.awaitLine(LINE)) / NANOS_PER_MILLI);
                for (int parameters : FirstUse.LINKED) {
                    MatchResult link = jvm.awaitLine(LINE);
                    long extra = Long.parseLong(link.group(3)) - Long.parseLong(link.group(4));
                    linking.computeIfAbsent(parameters, n -> new ArrayList<>()).add(extra / NANOS_PER_MILLI);
                }
            }
        }
        Map<Integer, Double> medians = new TreeMap<>();
        linking.forEach((parameters, samples) -> medians.put(parameters, new Samples(samples).median()));
        return new Start(new Samples(ofC).median(), new Samples(ofBinding).median(), medians);
    }

    private static long sum(MatchResult line) {
        return Arrays.stream(line.group().split(" ", -1))
                .skip(1)
                .mapToLong(Long::parseLong)
                .sum();
    }

    /**
     * Milliseconds until the first value of a GPU, medians.
     *
     * @param c in C: loading, nvmlInit, the handle, a getter
     * @param binding the same in a new JVM, from its main method on
     * @param linking by number of arguments, what the first call takes more than the next
     */
    private record Start(double c, double binding, Map<Integer, Double> linking) {
        double own() {
            return binding - c;
        }

        String table() {
            StringBuilder table = new StringBuilder(
                    String.format(Locale.ROOT, """
                    | first use | ms |
                    |---|---:|
                    | load, nvmlInit, handle, first getter: C | %.2f |
                    | the same: the binding, in a new JVM | %.2f |
                    | the binding's own part (bound 150): %s | %.2f |
                    """, c, binding, verdict(own() < MAX_START_MILLIS), own()));
            linking.forEach((parameters, millis) -> table.append(String.format(
                    Locale.ROOT,
                    "| first call with arguments: %d, beyond the second call | %.2f |%n",
                    parameters,
                    millis)));
            return table.toString();
        }
    }
}
