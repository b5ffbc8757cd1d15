// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** A YAML file as text and as nodes that know their places. */
public final class YamlText {
    private YamlText() {}

    /**
     * Decodes a file.
     *
     * @param bytes what the file holds
     * @param problems is told of the first byte that is no UTF-8
     * @return the text, without a byte order mark
     */
    public static String decode(byte[] bytes, Problems problems) {
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
        // A byte order mark, which some editors put first, is no text.
        return decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
    }

    /**
     * Parses a text.
     *
     * @param text the text
     * @param problems is told what is no YAML
     * @return the root node; null for an empty text, or where there is a problem
     */
    public static @Nullable Node compose(String text, Problems problems) {
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
            problems.add(0, 0, "it is nested too deeply", "the sections of this file are not nested so deeply");
        }
        return null;
    }
}
