// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One line of the store: the CRC-32C of the rest in eight hexadecimal digits, a blank, a kind of one letter, and fields
 * with tabs before them. Tabs, line ends and backslashes within a field are escaped, so that a process's name can never
 * end a line.
 *
 * @param kind what kind of line
 * @param fields its fields
 */
record StoreLine(char kind, List<String> fields) {
    private static final int CHECKSUM = 8;

    static StoreLine of(char kind, Object... fields) {
        List<String> texts = new ArrayList<>(fields.length);
        for (Object field : fields) {
            texts.add(String.valueOf(field));
        }
        return new StoreLine(kind, texts);
    }

    void appendTo(StringBuilder out) {
        StringBuilder text = new StringBuilder().append(kind);
        for (String field : fields) {
            text.append('\t');
            escape(field, text);
        }
        out.append(checksum(text.toString().getBytes(StandardCharsets.UTF_8)))
                .append(' ')
                .append(text)
                .append('\n');
    }

    private static String checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        String hex = Long.toHexString(crc.getValue());
        return "0".repeat(CHECKSUM - hex.length()) + hex;
    }

    private static void escape(String field, StringBuilder out) {
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            switch (c) {
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\\' -> out.append("\\\\");
                // Half of a pair cannot be written in UTF-8, and would not have this checksum when it is read.
                default -> out.append(Character.isSurrogate(c) && !isPaired(field, i) ? '?' : c);
            }
        }
    }

    private static boolean isPaired(String field, int i) {
        char c = field.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 < field.length() && Character.isLowSurrogate(field.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(field.charAt(i - 1));
    }

    /** Reads a line, without its end; empty where the checksum does not fit. */
    static Optional<StoreLine> parse(byte[] bytes, int start, int end) {
        int text = start + CHECKSUM + 1;
        if (end <= text || bytes[text - 1] != ' ') {
            return Optional.empty();
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, text, end - text);
        if (crc.getValue() != hex(bytes, start)) {
            return Optional.empty();
        }
        String line = new String(bytes, text, end - text, StandardCharsets.UTF_8);
        List<String> fields = new ArrayList<>();
        int at = line.indexOf('\t');
        while (at >= 0) {
            int next = line.indexOf('\t', at + 1);
            fields.add(unescaped(line.substring(at + 1, next < 0 ? line.length() : next)));
            at = next;
        }
        return Optional.of(new StoreLine(line.charAt(0), fields));
    }

    private static long hex(byte[] bytes, int start) {
        long value = 0;
        for (int i = start; i < start + CHECKSUM; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private static String unescaped(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        StringBuilder out = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\' && i + 1 < field.length()) {
                i++;
                out.append(
                        switch (field.charAt(i)) {
                            case 't' -> '\t';
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            default -> field.charAt(i);
                        });
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
