// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The stand-ins for MPS and CUDA programs out of the tests of the module mps, which have no driver beside them. */
final class FakeGpuPrograms implements AutoCloseable {
    private static final String MAIN = "io.gpuagent.mps.fake.FakeNode";
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter orders;

    /**
     * Writes the programs.
     *
     * @param classes their classes
     * @param folder where to
     */
    FakeGpuPrograms(Path classes, Path folder) throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + ":" + System.getProperty("java.class.path"),
                        MAIN,
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answer();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the stand-ins for GPU programs ended early");
        }
        return line;
    }

    /** Starts a client of the daemon that lives in these folders, and waits until it is in. */
    void startClient(Path pipe, Path log) throws IOException {
        orders.write(pipe + " " + log + "\n");
        orders.flush();
        answer();
    }

    @Override
    public void close() throws IOException {
        orders.close();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
