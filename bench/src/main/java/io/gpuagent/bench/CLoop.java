// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;

/** {@code nvml-loop}, the C program, waiting to be told what to call how often. */
final class CLoop implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;
    private final long[] start;

    /**
     * Starts it.
     *
     * @param program the compiled program
     * @param library what it loads
     */
    CLoop(Path program, String library) throws IOException {
        process = new ProcessBuilder(program.toString(), library)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        questions = process.outputWriter(StandardCharsets.UTF_8);
        String[] words = line().split(" ", -1);
        start = Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
    }

    /** Nanoseconds for loading, nvmlInit, the first handle and the first getter together. */
    long startNanos() {
        return Arrays.stream(start).sum();
    }

    /** Nanoseconds per call over so many calls; empty where NVML refuses it. */
    OptionalDouble perCall(MeasuredCall call, long count) throws IOException {
        questions.write(call.cName() + " " + count + "\n");
        questions.flush();
        String answer = line();
        return answer.startsWith("refused")
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) Long.parseLong(answer) / count);
    }

    private String line() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("nvml-loop ended early");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        // The end of its input ends it.
        questions.close();
    }
}
