// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
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
        String text = decode(bytes, problems);
        problems.throwIfAny();
        // A byte order mark, which some editors put first, is no text.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** One byte more than a configuration may have is enough to tell that a file, which may grow, is too large. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST_BYTES + 1);
        }
    }

    private static String decode(byte[] bytes, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length);
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        CoderResult result = decoder.decode(rest, text, true);
        String decoded = text.flip().toString();
        if (result.isError()) {
            int line = (int) decoded.chars().filter(c -> c == '\n').count() + 1;
            int column = decoded.length() - decoded.lastIndexOf('\n');
            problems.add(line, column, "a byte there is not UTF-8", "save the file as UTF-8");
        }
        return decoded;
    }

    /** The root of a YAML file; null for one that says nothing. */
    static @Nullable Node yaml(String text, Problems problems) throws ConfigException {
        Node root = compose(text, problems);
        problems.throwIfAny();
        return root;
    }

    private static @Nullable Node compose(String text, Problems problems) {
        try {
            LoadSettings settings =
                    LoadSettings.builder().setAllowNonScalarKeys(true).build();
            return new Compose(settings).composeString(text).orElse(null);
        } catch (MarkedYamlEngineException e) {
            problems.add(
                    e.getProblemMark().or(e::getContextMark),
                    "this is no YAML (" + Quoted.printable(e.getProblem()) + ")",
                    "check indentation, colons and quotes");
        } catch (ReaderException e) {
            String before = text.substring(
                    0, text.offsetByCodePoints(0, Math.min(e.getPosition(), text.codePointCount(0, text.length()))));
            problems.add(
                    (int) before.chars().filter(c -> c == '\n').count() + 1,
                    before.length() - before.lastIndexOf('\n'),
                    String.format(Locale.ROOT, "the character U+%04X is not allowed in YAML", e.getCodePoint()),
                    "remove it");
        } catch (YamlEngineException e) {
            problems.add(
                    0, 0, "this is no YAML (" + Quoted.printable(String.valueOf(e.getMessage())) + ")", "correct it");
        } catch (StackOverflowError e) {
            problems.add(0, 0, "it is nested too deeply", "a configuration has two levels");
        }
        return null;
    }
}
