// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command in a pseudo-terminal, which {@code script} of util-linux makes, with somebody at its keyboard. */
final class Terminal implements AutoCloseable {
    private final Process script;
    private final Path screen;
    private final OutputStream keyboard;

    private Terminal(Process script, Path screen) {
        this.script = script;
        this.screen = screen;
        this.keyboard = script.getOutputStream();
    }

    /** Runs {@code gpu-agent} with these arguments where {@code TERM} is this. */
    static Terminal run(Path folder, String term, String... arguments) throws IOException {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src/main/dist/jvm.options").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.gpuagent.agent.Main");
        String command = Stream.concat(java.stream(), Arrays.stream(arguments))
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" ", "exec ", ""));
        Path screen = Files.createTempFile(folder, "screen", ".txt");
        ProcessBuilder builder = new ProcessBuilder("script", "-qefc", command, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile());
        builder.environment().put("TERM", term);
        return new Terminal(builder.start(), screen);
    }

    /** All that has been written to the screen. */
    String screen() throws IOException {
        return Files.readString(screen, StandardCharsets.UTF_8);
    }

    void awaitText(String text) {
        await(text).atMost(ServedMps.PATIENCE).until(() -> screen().contains(text));
    }

    void type(String keys) throws IOException {
        keyboard.write(keys.getBytes(StandardCharsets.US_ASCII));
        keyboard.flush();
    }

    int awaitExit() throws InterruptedException, IOException {
        assertThat(script.waitFor(ServedMps.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .as("%s", screen())
                .isTrue();
        return script.exitValue();
    }

    @Override
    public void close() throws IOException {
        keyboard.close();
        script.destroyForcibly();
    }
}
