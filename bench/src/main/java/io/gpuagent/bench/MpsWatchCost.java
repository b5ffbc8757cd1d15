// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What it costs an agent to watch MPS daemons in which nothing happens: processor time of whole agents over the same
 * minutes, one beside eight daemons with two clients each, one without, and one that polls eight simulated GPUs and has no
 * daemon. Daemons, servers and clients are processes, and the agent finds them in /proc and in their logs as it would find
 * NVIDIA's. Writes a table in Markdown.
 */
public final class MpsWatchCost {
    private static final int DAEMONS = 8;
    private static final int CLIENTS = 2;
    private static final Duration SETTLE = Duration.ofSeconds(15);
    private static final int LOOKS = 6;

    private MpsWatchCost() {}

    /**
     * Measures.
     *
     * @param arguments the file jvm.options, the classes of the stand-ins, and {@code short} for looks of 20 s in place of 60 s
     * @throws IOException when a process cannot be started or asked
     * @throws InterruptedException when interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 2) {
            System.err.println("usage: MpsWatchCost JVM-OPTIONS CLASSES [short]");
            System.exit(2);
        }
        Duration look = Duration.ofSeconds(arguments.length > 2 && arguments[2].equals("short") ? 20 : 60);
        JvmSetup ours = JvmSetup.ours(Path.of(arguments[0]));
        Path programs = Files.createTempDirectory("gpu-agent-fakes");
        JvmSetup beside = ours.with("PATH", programs + ":" + System.getenv("PATH"));
        try (FakeGpuPrograms fakes = new FakeGpuPrograms(Path.of(arguments[1]), programs);
                RunningAgent polling = new RunningAgent(ours, DAEMONS);
                RunningAgent alone = new RunningAgent(ours);
                RunningAgent watching = new RunningAgent(beside)) {
            ControlSocket api = new ControlSocket(watching.folder().resolve("run/gpu-agent.sock"));
            try {
                for (int i = 1; i <= DAEMONS; i++) {
                    start(api, fakes, watching.folder(), i);
                }
                System.err.println(DAEMONS + " daemons with " + CLIENTS + " clients each run");
                measure(List.of(polling, alone, watching), look);
            } finally {
                for (int i = 1; i <= DAEMONS; i++) {
                    api.post("/v1/mps/daemons/" + id(i) + "/stop", "{\"mode\": \"force\"}");
                }
            }
        } finally {
            delete(programs);
        }
    }

    private static String id(int daemon) {
        return String.format(Locale.ROOT, "mig-%08x", daemon);
    }

    /** By MIG UUIDs, which an agent takes on a machine without a driver, where it cannot know them. */
    private static void start(ControlSocket api, FakeGpuPrograms fakes, Path folder, int daemon) throws IOException {
        String uuid = String.format(Locale.ROOT, "MIG-%08x-0000-0000-0000-000000000001", daemon);
        api.post("/v1/mps/daemons", "{\"target\": \"" + uuid + "\", \"share\": {\"threads\": \"25%\"}}");
        for (int client = 0; client < CLIENTS; client++) {
            fakes.startClient(
                    folder.resolve("run/mps/" + id(daemon) + "/pipe"), folder.resolve("state/log/mps/" + id(daemon)));
        }
    }

    private static void measure(List<RunningAgent> agents, Duration look) throws IOException, InterruptedException {
        RunningAgent.pause(SETTLE);
        List<List<Double>> percent = new ArrayList<>();
        agents.forEach(_ -> percent.add(new ArrayList<>()));
        for (int i = 0; i < LOOKS; i++) {
            List<Duration> before = used(agents);
            RunningAgent.pause(look);
            List<Duration> after = used(agents);
            for (int agent = 0; agent < agents.size(); agent++) {
                Duration spent = after.get(agent).minus(before.get(agent));
                percent.get(agent).add(100.0 * spent.toNanos() / look.toNanos());
            }
        }
        report(percent.stream().map(Samples::new).toList(), look);
    }

    private static List<Duration> used(List<RunningAgent> agents) throws IOException {
        List<Duration> used = new ArrayList<>();
        for (RunningAgent agent : agents) {
            used.add(agent.cost().cpu());
        }
        return used;
    }

    private static void report(List<Samples> percent, Duration look) throws IOException {
        double polling = percent.get(0).median();
        double alone = percent.get(1).median();
        double watching = percent.get(2).median();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            long all = processes
                    .filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .count();
            System.out.printf(
                    Locale.ROOT,
                    "%d looks of %d s, %d processes on the machine, load %s%n%n",
                    LOOKS,
                    look.toSeconds(),
                    all,
                    Files.readString(Path.of("/proc/loadavg")).strip());
        }
        System.out.println("| agent | percent of a core: median | least | most |");
        System.out.println("|---|---:|---:|---:|");
        row("polls " + DAEMONS + " simulated GPUs, no daemon", percent.get(0));
        row("no driver, no daemon", percent.get(1));
        row("no driver, " + DAEMONS + " daemons with " + CLIENTS + " clients each", percent.get(2));
        System.out.printf(
                Locale.ROOT,
                "%nWatching %d daemons: %+.2f %% of a core, x%.2f of what the agent takes that polls %d GPUs.%n",
                DAEMONS,
                watching - alone,
                (watching - alone) / polling,
                DAEMONS);
    }

    private static void row(String name, Samples samples) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f |%n",
                name,
                samples.median(),
                samples.percentile(0),
                samples.percentile(100));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
