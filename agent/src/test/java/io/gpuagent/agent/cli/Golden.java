// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Output that is kept as a file; {@code -Dgolden.update=true} writes the files anew. */
final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden/cli");

    private Golden() {}

    static void check(String name, String actual) throws IOException {
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(file));
    }
}
