// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.Main;
import io.gpuagent.model.time.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An agent in a JVM and folders of its own, on a free port of the loopback interface. */
final class RunningAgent implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("serves http://127\\.0\\.0\\.1:([0-9]+)/metrics");
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration START = Duration.ofSeconds(60);
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Path folder;
    private final ChildJvm jvm;
    private final String address;
    private final double readyMillis;

    /** Starts one on simulated GPUs and waits until it is ready. */
    RunningAgent(JvmSetup setup, int gpus) throws IOException, InterruptedException {
        this(setup, List.of("--simulate", "h200x" + gpus), "/-/ready");
    }

    /** Starts one on this machine, which may have no driver, and waits until it serves. */
    RunningAgent(JvmSetup setup) throws IOException, InterruptedException {
        this(setup, List.of(), "/-/healthy");
    }

    private RunningAgent(JvmSetup setup, List<String> source, String up) throws IOException, InterruptedException {
        folder = Files.createTempDirectory("gpu-agent-bench");
        List<String> arguments = new ArrayList<>(List.of("serve"));
        arguments.addAll(source);
        arguments.addAll(List.of(
                "--listen",
                "127.0.0.1:0",
                "--runtime-dir",
                folder.resolve("run").toString(),
                "--state-dir",
                folder.resolve("state").toString()));
        jvm = new ChildJvm(setup, Main.class, arguments);
        boolean ready = false;
        try {
            address = "http://127.0.0.1:" + jvm.awaitLine(SERVES).group(1);
            while (get(up) != HttpURLConnection.HTTP_OK) {
                if (jvm.ageMillis() > START.toMillis()) {
                    throw new IOException("the agent was not ready within " + START.toSeconds() + " s");
                }
                pause(LOOK);
            }
            readyMillis = jvm.ageMillis();
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    /** From the start of the JVM to the first 200 of /-/ready. */
    double readyMillis() {
        return readyMillis;
    }

    /** Its runtime and state folder. */
    Path folder() {
        return folder;
    }

    ProcessCost cost() throws IOException {
        return jvm.cost();
    }

    /** One scrape, from the request to the page's last byte, in milliseconds. */
    double scrape() throws IOException {
        long start = SystemClock.INSTANCE.nanos();
        if (get("/metrics") != HttpURLConnection.HTTP_OK) {
            throw new IOException("the scrape failed");
        }
        return (SystemClock.INSTANCE.nanos() - start) / 1e6;
    }

    private int get(String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address + path).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        // Prometheus asks for it, too.
        connection.setRequestProperty("Accept-Encoding", "gzip");
        int status = connection.getResponseCode();
        // Read to its end, so that the connection is kept for the next request.
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            body.transferTo(OutputStream.nullOutputStream());
        }
        return status;
    }

    static void pause(Duration length) throws InterruptedException {
        SystemClock.INSTANCE.sleepUntil(SystemClock.INSTANCE.nanos() + length.toNanos());
    }

    @Override
    public void close() throws IOException {
        jvm.close();
        try (Stream<Path> paths = Files.walk(folder)) {
            paths.sorted(Comparator.reverseOrder()).forEach(RunningAgent::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
