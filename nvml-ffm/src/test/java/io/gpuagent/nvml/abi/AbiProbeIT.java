// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.abi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The C compiler still measures what is committed. Needs gcc, and fails without it. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class AbiProbeIT {
    @Test
    void compilerMeasuresTheCommittedFigures(@TempDir Path folder) throws IOException, InterruptedException {
        Path probe = folder.resolve("nvml-structs");
        String source = HeaderParser.nativeFolder().resolve("nvml-structs.c").toString();
        run(folder, "gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", probe.toString(), source);

        assertThat(run(folder, probe.toString())).isEqualTo(AbiFactsTest.resource("nvml-structs.json"));
    }

    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        String text = Files.readString(output);
        assertThat(status).as(String.join(" ", command) + "\n" + text).isZero();
        return text;
    }
}
