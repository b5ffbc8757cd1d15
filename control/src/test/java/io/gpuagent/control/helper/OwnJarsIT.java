// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The helper as the package lays it out: its script, its options, its jar and the few others that this one names. */
class OwnJarsIT {
    private static final Path BUILT = Path.of("target");

    @TempDir
    Path installed;

    @BeforeEach
    void install() throws IOException {
        Path lib = Files.createDirectory(installed.resolve("lib"));
        for (Path jar : jars(BUILT)) {
            // Those of tests and sources have a classifier behind the version.
            if (!jar.toString().endsWith("-tests.jar")) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        for (Path jar : jars(BUILT.resolve("helper/lib"))) {
            Files.copy(jar, lib.resolve(jar.getFileName()));
        }
        for (String file : List.of("gpu-agent-priv", "gpu-agent-restore", "helper.options")) {
            Files.copy(
                    Path.of("src/main/dist").resolve(file),
                    installed.resolve(file),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    @Test
    void noWebServerMetricsYamlOrCommandLineComesAlong() throws Exception {
        assertThat(jars(installed.resolve("lib")))
                .extracting(jar -> jar.getFileName().toString().replaceFirst("-[0-9].*", ""))
                .containsExactlyInAnyOrder(
                        "control", "mig", "mps", "nvml-ffm", "host", "model", "jackson-core", "jspecify");
    }

    @Test
    void itAnswersOverItsStandardInput() throws Exception {
        try (PrivilegedSocket socket = PrivilegedSocket.listen(
                installed,
                "priv.sock",
                (Integer) Files.getAttribute(installed, "unix:uid"),
                "0600",
                List.of(
                        installed.resolve("gpu-agent-priv").toString(),
                        "--agent-user",
                        System.getProperty("user.name"),
                        "--log-dir",
                        installed.resolve("log").toString()))) {
            long self = ProcessHandle.current().pid();

            List<String> answers = socket.ask(
                    List.of(),
                    List.of("{\"version\":1,\"request\":{\"verb\":\"read-environments\",\"pids\":[" + self + "]}}"));

            assertThat(answers)
                    .singleElement()
                    .asString()
                    .startsWith("{\"done\":{\"environments\":[{\"pid\":" + self + ",\"start_ticks\":");
        }
    }

    @Test
    void startedByHandItSaysWhoStartsIt() throws Exception {
        Path err = installed.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        installed.resolve("gpu-agent-priv").toString())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(err)
                .hasContent("standard input is no connected socket; systemd starts this program for each connection to"
                        + " gpu-agent-priv.socket, and nobody else needs to\n");
    }

    @Test
    void theRestoreOfABootRunsFromTheSameJars() throws Exception {
        String gpu = "GPU-01234567-89ab-cdef-0123-456789abcdef";
        Files.createDirectories(installed.resolve("state/mig").resolve(gpu));
        Path out = installed.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        installed.resolve("gpu-agent-restore").toString(),
                        "--runtime-dir",
                        installed.resolve("run").toString(),
                        "--state-dir",
                        installed.resolve("state").toString(),
                        "--log-dir",
                        installed.resolve("log").toString(),
                        "--nvml-library",
                        installed.resolve("no-such-library.so").toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out).content().startsWith(gpu + ": no");
    }
}
