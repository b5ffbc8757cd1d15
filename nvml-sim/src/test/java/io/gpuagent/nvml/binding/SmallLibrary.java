// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A libnvidia-ml.so.1 that gcc makes from {@code small-nvml.c}, in a folder of a test. */
public final class SmallLibrary {
    private final Path folder;

    /**
     * Makes nothing yet.
     *
     * @param folder where it will be
     */
    public SmallLibrary(Path folder) {
        this.folder = folder;
    }

    /**
     * Where the loader is sent.
     *
     * @return a link to the version that was installed last
     */
    public Path link() {
        return folder.resolve("libnvidia-ml.so.1");
    }

    String versioned(String driver) throws IOException {
        return folder.toRealPath().resolve("libnvidia-ml.so." + driver).toString();
    }

    /**
     * Installs as a package does: a file named by its version, and a link that goes over to it in one step.
     *
     * @param driver its version
     * @param defines macros that add functions, such as {@code -DWITH_MIG}
     */
    public void install(String driver, String... defines) throws IOException, InterruptedException {
        Path file = folder.resolve("libnvidia-ml.so." + driver);
        List<String> command = new ArrayList<>(List.of(
                "gcc",
                "-std=c17",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-Wl,-soname,libnvidia-ml.so.1",
                "-I../nvml-ffm/src/main/native",
                "-DDRIVER=\"" + driver + "\"",
                "-o",
                file.toString()));
        command.addAll(List.of(defines));
        command.add("src/test/native/small-nvml.c");
        run(command);
        Path link = Files.createSymbolicLink(folder.resolve("new"), file.getFileName());
        Files.move(link, link(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "gcc", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor())
                .as(String.join(" ", command) + "\n" + Files.readString(output))
                .isZero();
    }
}
