// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The command {@code gpu-agent} in a JVM of its own, started as the package starts it: with its jvm.options. */
final class AgentProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final Process process;
    private final Path out;
    private final Path err;

    private AgentProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static AgentProcess start(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src/main/dist/jvm.options").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.gpuagent.agent.Main"));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove("JOURNAL_STREAM");
        return new AgentProcess(builder.start(), out, err);
    }

    /** Serves from a folder, on a port that was free a moment ago. */
    static AgentProcess serve(Path folder, int port, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "serve",
                "--listen",
                "127.0.0.1:" + port,
                "--runtime-dir",
                folder.resolve("run").toString(),
                "--state-dir",
                folder.resolve("state").toString()));
        arguments.addAll(List.of(more));
        return start(folder, arguments.toArray(String[]::new));
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    void awaitReady(int port) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/-/ready"))
                    .timeout(PATIENCE)
                    .build();
            Awaitility.await("ready").atMost(PATIENCE).ignoreExceptions().until(() -> {
                if (!process.isAlive()) {
                    throw new AssertionError("it ended with " + process.exitValue() + ": " + err());
                }
                return client.send(ready, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200;
            });
        }
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("it did not end within " + PATIENCE);
        }
        return process.exitValue();
    }

    String out() throws IOException {
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    String err() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
