// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.line;

import io.gpuagent.model.PciAddress;
import java.util.Optional;
import java.util.OptionalInt;

/** Goes through a text from left to right, once. What does not fit leaves it where it was. */
final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
        this.text = text;
    }

    /** Goes behind a word. */
    boolean skip(String word) {
        if (!text.startsWith(word, at)) {
            return false;
        }
        at += word.length();
        return true;
    }

    /** Goes over blanks; true where there was one. */
    boolean blanks() {
        int before = at;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at > before;
    }

    boolean isAtEnd() {
        return at >= text.length();
    }

    boolean isNext(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    /** A number of at most nine digits. */
    OptionalInt number() {
        int end = at;
        int value = 0;
        while (end < text.length() && isDigit(text.charAt(end))) {
            if (end - at == 9) {
                return OptionalInt.empty();
            }
            value = value * 10 + (text.charAt(end) - '0');
            end++;
        }
        if (end == at) {
            return OptionalInt.empty();
        }
        at = end;
        return OptionalInt.of(value);
    }

    /** A hexadecimal number behind {@code 0x}, of at most eight digits. */
    Optional<Long> hex() {
        if (!text.startsWith("0x", at)) {
            return Optional.empty();
        }
        int end = at + 2;
        long value = 0;
        while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
            if (end - at == 10) {
                return Optional.empty();
            }
            value = value * 16 + Character.digit(text.charAt(end), 16);
            end++;
        }
        if (end == at + 2) {
            return Optional.empty();
        }
        at = end;
        return Optional.of(value);
    }

    /** {@code [domain:]bus:device[.function]} in hexadecimal; the domain has four digits or eight. */
    Optional<PciAddress> pci() {
        int start = at;
        int[] groups = new int[3];
        int count = 0;
        while (true) {
            int digits = hexDigits();
            if (digits == 0 || digits > 8 || count == 3) {
                break;
            }
            groups[count++] = Integer.parseUnsignedInt(text, at, at + digits, 16);
            at += digits;
            if (count == 3 || !isNext(':')) {
                break;
            }
            at++;
        }
        if (isNext('.') && at + 1 < text.length() && text.charAt(at + 1) >= '0' && text.charAt(at + 1) <= '7') {
            at += 2;
        }
        boolean hasDomain = count == 3;
        int bus = hasDomain ? groups[1] : groups[0];
        int device = hasDomain ? groups[2] : groups[1];
        // Eight hexadecimal digits may be negative as an int.
        if (count < 2 || bus < 0 || bus > 0xFF || device < 0 || device > 0x1F) {
            at = start;
            return Optional.empty();
        }
        return Optional.of(new PciAddress(hasDomain ? groups[0] : 0, bus, device));
    }

    private int hexDigits() {
        int end = at;
        while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0 && text.charAt(end) < 128) {
            end++;
        }
        return end - at;
    }

    /** What comes before a word, and goes behind the word; empty where the word does not come. */
    Optional<String> until(String word) {
        int end = text.indexOf(word, at);
        if (end < 0) {
            return Optional.empty();
        }
        String before = text.substring(at, end);
        at = end + word.length();
        return Optional.of(before);
    }

    /** What comes before a character or the end, and stops there. */
    String before(char c) {
        int end = text.indexOf(c, at);
        String before = text.substring(at, end < 0 ? text.length() : end);
        at += before.length();
        return before;
    }

    /** Digits and dots, such as {@code 580.159.04}; a dot that ends a sentence is left. */
    String version() {
        int end = at;
        while (end < text.length() && (isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        while (end > at && text.charAt(end - 1) == '.') {
            end--;
        }
        String version = text.substring(at, end);
        at = end;
        return version;
    }

    String rest() {
        String rest = text.substring(at).strip();
        at = text.length();
        return rest;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
