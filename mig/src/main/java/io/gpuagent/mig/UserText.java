// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

/** Text from outside, made fit for one line of a terminal. */
final class UserText {
    private static final int LONGEST = 60;

    private UserText() {}

    /** Replaces what a terminal would act on, and cuts what nobody would read. */
    static String printable(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(LONGEST + 1L).forEach(c -> {
            int type = Character.getType(c);
            boolean isHidden = Character.isISOControl(c)
                    || type == Character.FORMAT
                    || type == Character.SURROGATE
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            safe.appendCodePoint(isHidden ? '?' : c);
        });
        if (safe.codePointCount(0, safe.length()) > LONGEST) {
            safe.setLength(safe.offsetByCodePoints(0, LONGEST - 3));
            safe.append("...");
        }
        return safe.toString();
    }

    static String quoted(String text) {
        return '"' + printable(text) + '"';
    }
}
