// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.regex.Pattern;

/**
 * A pattern for names of metrics: {@code *} stands for any number of characters, {@code ?} for one, all else for itself.
 *
 * @param text the pattern as it was written
 */
public record NamePattern(String text) {
    // What Prometheus allows in a name, and the two wildcards.
    private static final Pattern FORM = Pattern.compile("[a-zA-Z0-9_:*?]+");

    /** Refuses a text that fits no name. */
    public NamePattern {
        if (!isPattern(text)) {
            throw new IllegalArgumentException("no name of a metric fits " + text);
        }
    }

    /**
     * Whether a text can be a pattern at all.
     *
     * @param text the text
     * @return false where it holds a character that no name has
     */
    public static boolean isPattern(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Whether a name fits. The time it takes grows with the lengths of both alone: on a mismatch only the last star is
     * tried again, since what an earlier one took does not matter any more.
     *
     * @param name the name
     * @return whether all of it fits all of the pattern
     */
    public boolean fits(String name) {
        int at = 0;
        int star = -1;
        int resume = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                resume = i;
            } else if (at < text.length() && (text.charAt(at) == '?' || text.charAt(at) == name.charAt(i))) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++resume;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == '*') {
            at++;
        }
        return at == text.length();
    }
}
