// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** The text of a configuration file, and what YAML makes of it. */
final class ConfigText {
    // A file of this size is no configuration; it bounds what the parser is given.
    private static final int LARGEST_BYTES = 64 << 10;

    private ConfigText() {}

    static String read(Path file, Problems problems) throws ConfigException {
        byte[] bytes = new byte[0];
        try {
            if (Files.isDirectory(file)) {
                problems.add(0, 0, "it is a folder", "name a file");
            } else if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A pipe or a device could keep us waiting for ever.
                problems.add(0, 0, "it is no regular file", "name a file");
            } else {
                bytes = start(file);
            }
            if (bytes.length > LARGEST_BYTES) {
                problems.add(0, 0, "it has more than 64 KiB", "name a configuration file");
                problems.throwIfAny();
            }
        } catch (NoSuchFileException e) {
            problems.add(0, 0, "it does not exist", "name a file that does");
        } catch (AccessDeniedException e) {
            problems.add(0, 0, "this user may not read it", "give the agent's user the right to read it");
        } catch (IOException e) {
            problems.add(0, 0, "it cannot be read (" + e.getMessage() + ")", "name a file that can");
        }
        String text = YamlText.decode(bytes, problems);
        problems.throwIfAny();
        return text;
    }

    /** One byte more than a configuration may have is enough to tell that a file, which may grow, is too large. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST_BYTES + 1);
        }
    }

    /** The root of a YAML file; null for one that says nothing. */
    static @Nullable Node yaml(String text, Problems problems) throws ConfigException {
        Node root = YamlText.compose(text, problems);
        problems.throwIfAny();
        return root;
    }
}
