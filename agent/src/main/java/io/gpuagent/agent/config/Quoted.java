// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/** A user's text inside a message: quoted, on one line and not endless. */
public final class Quoted {
    private static final int LONGEST = 60;

    private Quoted() {}

    /**
     * Quotes a text.
     *
     * @param text whatever the user wrote
     * @return the text in quotes, control characters replaced
     */
    public static String of(String text) {
        String shortened = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return "\"" + printable(shortened) + "\"";
    }

    /**
     * Makes a text from elsewhere fit for a terminal.
     *
     * @param text the text
     * @return the text with each control character replaced by a question mark
     */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
