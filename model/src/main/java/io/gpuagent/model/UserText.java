// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.HexFormat;

/**
 * Somebody's text inside a message: on one line, not endless, and with nothing in it that a terminal or a log would act
 * upon.
 */
public final class UserText {
    /** Characters of a quoted text that are shown; the rest is an ellipsis. */
    public static final int LONGEST = 80;

    private UserText() {}

    /**
     * Quotes a text.
     *
     * @param text whatever somebody wrote
     * @return its beginning in quotes, with control characters as escapes such as {@code \n} and {@code \u001b}
     */
    public static String quoted(String text) {
        return '"' + shortened(text) + '"';
    }

    /**
     * The beginning of a text, without quotes.
     *
     * @param text whatever somebody wrote
     * @return at most {@value #LONGEST} characters of it, and an ellipsis for those that are left out
     */
    public static String shortened(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> shown.append(isHidden(c) ? escaped(c) : Character.toString(c)));
        return text.codePointCount(0, text.length()) > LONGEST ? shown + "..." : shown.toString();
    }

    /**
     * Makes a whole text fit for a terminal.
     *
     * @param text a sentence or name from elsewhere
     * @return the text with each control character replaced by a question mark
     */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().map(c -> isHidden(c) ? '?' : c).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** What moves the cursor, colours, reorders or breaks a line, and halves of surrogate pairs. */
    private static boolean isHidden(int c) {
        return Character.isISOControl(c)
                || switch (Character.getType(c)) {
                    case Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }

    private static String escaped(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> {
                if (Character.getType(c) == Character.SURROGATE) {
                    yield "?"; // Half of a pair is no character that could be told.
                }
                StringBuilder units = new StringBuilder();
                for (char unit : Character.toChars(c)) {
                    units.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
                yield units.toString();
            }
        };
    }
}
