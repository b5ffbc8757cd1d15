// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that holds what a test expects; {@code -Dgolden.update=true} writes it anew, to be read as a diff. */
record GoldenFile(Path path) {
    static GoldenFile page(String name) {
        return new GoldenFile(Path.of("src/test/resources/golden", name));
    }

    void assertSame(String actual) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.writeString(path, actual);
        }
        assertThat(path).as("written by -Dgolden.update=true").exists();
        assertThat(actual)
                .as("%s (if the change is meant: -Dgolden.update=true, then read the diff)", path)
                .isEqualTo(Files.readString(path));
    }
}
